package io.angarium.http;

import io.angarium.TimeSource;
import io.angarium.http.HostQueue.Job;
import io.angarium.http.HttpConfig.Timing;
import io.angarium.http.Traffic.Given;
import io.angarium.http.internal.client.Client;
import io.angarium.http.internal.client.Ending;
import io.angarium.http.internal.client.HttpAttempt;
import io.angarium.http.internal.client.HttpDiagnosis;
import io.angarium.http.internal.client.Target;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import io.angarium.transport.Transport;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts messages to web hooks, for users without a broker. {@code http:orders} goes to the hook of
 * that name. {@code http:https://shop.example/hooks/orders} goes to that address if its host is
 * allowed. Requests have the form that {@link HttpWireFormat} describes. No redirect is followed.
 *
 * <p>The answer decides the result of a message:
 *
 * <ul>
 *   <li>Acknowledged: any status 2xx, with the whole answer
 *   <li>Unavailable: 429 and 503, for as long as {@code Retry-After} says, within a limit, without
 *       asking again. 410, for as long as the limit. No connection can be made, the name is
 *       unknown, or TLS fails. No request was free in time, or too many messages already wait
 *   <li>Refused: any other 3xx and 4xx, and addresses that are invalid or not allowed
 *   <li>Failed: 408, 421, 425, any other 5xx, 413 with {@code Retry-After}, and each 4xx of a hook
 *       that {@linkplain HttpHook#retryRefused retries} them
 *   <li>No answer in time, a broken connection, and 502 or 504 from a gateway: the cause may be the
 *       message or the receiver. So {@code OPTIONS} asks the receiver whether it is there. Any
 *       answer but 429, 502, 503 and 504 means that it is: Failed. A message that its receiver
 *       chokes on must use up its attempts, or it would hold up all others for ever. No answer
 *       means that it is down: Unavailable. An outage must not use up attempts
 * </ul>
 *
 * <p>A message that has no answer may have arrived. A message whose connection broke is posted once
 * more at once. Receivers must drop repeats by id. Only one message of a key is in flight at a
 * time. {@link #send} never blocks. Thread-safe.
 */
public final class HttpTransport implements Transport {
  private static final Logger LOG = LoggerFactory.getLogger(HttpTransport.class);
  private static final Duration UPKEEP = Duration.ofMillis(200);

  /** Colon, space and the end of the line. */
  private static final int BYTES_PER_HEADER = 4;

  private static final Duration RESULT_MARGIN = Duration.ofSeconds(1);

  private final HttpConfig config;
  private final TimeSource time;
  private final Targets targets;
  private final HttpDiagnosis diagnosis;
  private final PostForm form;
  private final Client client;
  private final Presence presence;
  private final ReceiverClocks clocks = new ReceiverClocks();
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition idle = lock.newCondition();
  private final Traffic traffic;
  private final Set<HttpAttempt> open = new HashSet<>();
  private boolean closed;

  private HttpTransport(HttpConfig config, PostForm form, TimeSource time, Client client) {
    this.config = config;
    this.form = form;
    this.time = time;
    this.targets = new Targets(config, form.transport());
    this.diagnosis = new HttpDiagnosis(config.timing().pauseMax());
    this.client = client;
    this.presence = new Presence(client, config.timing().connect());
    this.traffic = new Traffic(config.limits(), config.timing().hold());
  }

  /** Creates the transport and starts its threads. Connects to nobody yet. */
  public static HttpTransport open(HttpConfig config) {
    return open(config, TimeSource.SYSTEM, null);
  }

  /**
   * Creates the transport with other certificates than those that the JVM trusts.
   *
   * @param tls for connections by {@code https://}
   */
  public static HttpTransport open(HttpConfig config, SSLContext tls) {
    return open(config, TimeSource.SYSTEM, tls);
  }

  /**
   * Creates a transport named {@code dtm}, which calls the steps of dtm's messages as dtm does:
   * {@code dtm:https://shop.example/pay} is a {@code POST} of the payload to that address, if its
   * host is allowed, with {@code ?gid=…&trans_type=msg&branch_id=01&op=action}; a {@code GET} if
   * the payload is empty. What else a message must have stands in {@link DtmStep}. A 2xx whose body
   * says {@code ONGOING} or {@code FAILURE}, and 409, are Failed; the rest is as ever.
   */
  public static HttpTransport dtm(HttpConfig config) {
    return open(config, new DtmStepForm(), TimeSource.SYSTEM, null);
  }

  static HttpTransport open(HttpConfig config, TimeSource time, @Nullable SSLContext tls) {
    return open(config, new HttpRequestEncoding(config), time, tls);
  }

  private static HttpTransport open(
      HttpConfig config, PostForm form, TimeSource time, @Nullable SSLContext tls) {
    int requests = config.limits().inFlight();
    Client client = new Client(config.timing().connect(), requests, form.keptBytesMax(), tls);
    return opened(new HttpTransport(config, form, time, client));
  }

  /**
   * @param work its threads, ended with the transport
   */
  static HttpTransport open(HttpConfig config, ExecutorService work) {
    PostForm form = new HttpRequestEncoding(config);
    Client client = new Client(config.timing().connect(), work, form.keptBytesMax(), null);
    return opened(new HttpTransport(config, form, TimeSource.SYSTEM, client));
  }

  private static HttpTransport opened(HttpTransport transport) {
    transport.client.every(UPKEEP, transport::upkeep);
    LOG.info(
        "HTTP transport opened: hooks {}, further hosts {}, {} requests at a time",
        transport.config.hooks().stream().map(HttpHook::name).toList(),
        transport.config.allowedHosts(),
        transport.config.limits().inFlight());
    return transport;
  }

  @Override
  public String name() {
    return form.transport();
  }

  /**
   * Why messages to an address would go nowhere; empty if they would not.
   *
   * @param address of a destination, e.g. {@code https://shop.example/hooks/orders}
   */
  public Optional<String> refusal(String address) {
    return targets.of(address).isPresent()
        ? Optional.empty()
        : Optional.of(targets.refusal(address).reason());
  }

  @Override
  public Optional<String> addressFault(String address) {
    return targets.isMalformed(address)
        ? Optional.of(targets.refusal(address).reason())
        : Optional.empty();
  }

  @Override
  public KeyOrder keyOrder() {
    return KeyOrder.CHAINED;
  }

  @Override
  public Duration resultMax() {
    Timing timing = config.timing();
    Duration answer = timing.answer();
    for (HttpHook hook : config.hooks()) {
      Duration own = hook.timeout();
      answer = own != null && own.compareTo(answer) > 0 ? own : answer;
    }
    return timing.hold().plus(answer).plus(timing.connect()).plus(RESULT_MARGIN);
  }

  @Override
  public Duration blockingMax() {
    return Duration.ZERO;
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    List<Given> given = new ArrayList<>(0);
    List<Job> jobs;
    lock.lock();
    try {
      long now = time.nanoTime();
      for (StoredMessage message : messages) {
        HttpAttempt attempt = new HttpAttempt(message, results, now);
        open.add(attempt);
        SendResult result = accept(attempt, now);
        if (result != null) {
          given.add(new Given(attempt, result));
        }
      }
      jobs = traffic.startable();
    } finally {
      lock.unlock();
    }
    beginAndDeliver(jobs, given);
  }

  private @Nullable SendResult accept(HttpAttempt attempt, long now) {
    if (closed) {
      return new Unavailable("the HTTP transport is closed", null);
    }
    Optional<Target> target = targets.of(attempt.address());
    return target.isEmpty()
        ? targets.refusal(attempt.address())
        : traffic.offer(attempt, target.get(), now);
  }

  // ---- on the client's threads

  private void beginAndDeliver(List<Job> jobs, List<Given> given) {
    try {
      begin(jobs, given);
    } finally {
      deliver(given);
    }
  }

  /** Begins them; what cannot be begun has its result, and others take its place. */
  private void begin(List<Job> jobs, List<Given> given) {
    Deque<Job> left = new ArrayDeque<>(jobs);
    for (Job job = left.poll(); job != null; job = left.poll()) {
      Job begun = job;
      try {
        client.run(() -> post(begun));
      } catch (RuntimeException | Error e) { // mostly that no thread can be started
        left.addAll(end(job, notBegun(job, e), Duration.ZERO, given));
      }
    }
  }

  private static SendResult notBegun(Job job, Throwable error) {
    return new Unavailable(job.target().label() + " was sent no request: " + error, error);
  }

  /**
   * Posts, and once more if the connection broke: mostly the receiver closed one that had been idle
   * at the very moment when it was to be used again.
   */
  private void post(Job job) {
    HttpRequest request;
    Duration signedAhead = clocks.ahead(job.target());
    job.attempt().signedAhead(signedAhead);
    try {
      request = form.post(job.attempt().message(), job.target(), time.instant().plus(signedAhead));
    } catch (IllegalArgumentException e) {
      String reason = job.target().label() + " cannot be sent this message: " + e.getMessage();
      settle(job, new Refused(reason + "; send it anew in another form", e), Duration.ZERO);
      return;
    } catch (RuntimeException e) { // nothing that should happen, but each message has a result
      settle(job, new Failed("the request could not be written: " + e, e), Duration.ZERO);
      return;
    } catch (Error e) { // of this process, not of the message: there is no memory, or no class
      settle(job, notBegun(job, e), Duration.ZERO);
      return;
    }
    job.attempt().headersBytes(headersBytes(request));
    long deadline = time.nanoTime() + job.target().timeout().toNanos();
    exchange(
        job,
        request,
        job.target().timeout(),
        ending -> {
          Duration left = Duration.ofNanos(deadline - time.nanoTime());
          if (HttpDiagnosis.isBroken(ending) && !left.isNegative() && !left.isZero()) {
            exchange(job, request, left, again -> ended(job, again));
          } else {
            ended(job, ending);
          }
        });
  }

  private static int headersBytes(HttpRequest request) {
    int bytes = 0;
    for (Map.Entry<String, List<String>> header : request.headers().map().entrySet()) {
      for (String value : header.getValue()) {
        bytes += header.getKey().length() + value.length() + BYTES_PER_HEADER;
      }
    }
    return bytes;
  }

  private void exchange(Job job, HttpRequest request, Duration timeout, Consumer<Ending> endings) {
    try {
      client.exchange(request, timeout, endings);
    } catch (RuntimeException e) { // nothing the client should throw
      settle(job, new Failed("the HTTP client failed: " + e, e), Duration.ZERO);
    } catch (Error e) { // the process has a fault
      settle(job, notBegun(job, e), Duration.ZERO);
    }
  }

  private void ended(Job job, Ending ending) {
    if (!HttpDiagnosis.isDoubtful(ending)) {
      settle(job, ending, false);
      return;
    }
    var unused = presence.ask(job.target()).thenAccept(present -> settle(job, ending, present));
  }

  private void settle(Job job, Ending ending, boolean present) {
    SendResult result = diagnosis.of(job.attempt(), job.target(), ending, present);
    Instant now = time.instant();
    SendResult judged = form.judged(result, job.target(), ending);
    SendResult clocked =
        clocks.judged(judged, job.target(), ending, now, job.attempt().signedAhead());
    settle(
        job,
        HttpDiagnosis.retried(clocked, job.target(), ending),
        diagnosis.pause(job.target(), ending, now));
  }

  private void settle(Job job, SendResult result, Duration pause) {
    List<Given> given = new ArrayList<>(1);
    beginAndDeliver(end(job, result, pause, given), given);
  }

  /** Notes that a request is over; gives those that may begin now. */
  private List<Job> end(Job job, SendResult result, Duration pause, List<Given> given) {
    if (!job.attempt().end()) {
      return List.of();
    }
    given.add(new Given(job.attempt(), result));
    lock.lock();
    try {
      traffic.ended(job.lane());
      if (result instanceof Unavailable) {
        traffic.unavailable(job, result, pause, time.nanoTime(), given);
      }
      return closed ? List.of() : traffic.startable();
    } finally {
      lock.unlock();
    }
  }

  /** Gives results; no lock may be held. An Error of a receiver comes out when all have theirs. */
  private void deliver(List<Given> given) {
    Error first = null;
    for (Given each : given) {
      try {
        each.attempt().decide(each.result());
      } catch (Error e) {
        first = first == null ? e : first;
      }
    }
    given(given);
    if (first != null) {
      throw first;
    }
  }

  private void given(List<Given> given) {
    lock.lock();
    try {
      given.forEach(each -> open.remove(each.attempt()));
      if (open.isEmpty()) {
        idle.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void upkeep() {
    List<Given> given = new ArrayList<>(0);
    lock.lock();
    try {
      traffic.expire(time.nanoTime(), given);
    } finally {
      lock.unlock();
    }
    deliver(given);
  }

  // ---- end

  @Override
  public void flush(Duration timeout) {
    lock.lock();
    try {
      long left = timeout.toNanos();
      while (!open.isEmpty() && left > 0) {
        left = idle.awaitNanos(left);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Breaks off what is under way; results still missing are given as Failed. To send what waits
   * call {@link #flush} first. May be called twice.
   */
  @Override
  public void close() {
    List<Given> given = new ArrayList<>();
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      Failed result = new Failed("the HTTP transport was closed; perhaps it was sent", null);
      open.forEach(attempt -> given.add(new Given(attempt, result)));
      traffic.clear();
    } finally {
      lock.unlock();
    }
    client.close();
    deliver(given);
    LOG.info("HTTP transport closed");
  }
}
