package io.angarium.http.internal.client;

import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An HTTP client with its threads. Thread-safe. */
public final class Client implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Client.class);
  private static final int THREADS_PER_REQUEST_MAX = 4;

  private final ScheduledExecutorService timer = ClientThreads.timer();
  private final ExecutorService work;
  private final int keptBytesMax;
  private final Set<TimedRequest> underWay = ConcurrentHashMap.newKeySet();

  /** Null once it is closed: the client of JDK 17 ends when nobody holds it any more. */
  private volatile @Nullable HttpClient client;

  /**
   * @param connect longest time to connect
   * @param requestsMax how many may be under way at a time
   * @param keptBytesMax how much of an answer is kept
   */
  public Client(Duration connect, int requestsMax, int keptBytesMax, @Nullable SSLContext tls) {
    this(connect, ClientThreads.work(THREADS_PER_REQUEST_MAX * requestsMax), keptBytesMax, tls);
  }

  /**
   * @param work ended with it
   */
  public Client(
      Duration connect, ExecutorService work, int keptBytesMax, @Nullable SSLContext tls) {
    this.work = work;
    this.keptBytesMax = keptBytesMax;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .connectTimeout(connect)
            .followRedirects(Redirect.NEVER)
            .executor(work);
    if (tls != null) {
      builder.sslContext(tls);
    }
    this.client = builder.build();
  }

  public void run(Runnable task) {
    work.execute(task);
  }

  /**
   * Sends a request and returns.
   *
   * @param endings told once, unless this throws or the client is closed before
   */
  public void exchange(HttpRequest request, Duration timeout, Consumer<Ending> endings) {
    HttpClient open = client;
    if (open == null) {
      throw new IllegalStateException("the HTTP client is closed");
    }
    TimedRequest exchange = new TimedRequest(endings, underWay::remove, keptBytesMax);
    underWay.add(exchange);
    try {
      exchange.start(open, request, timeout, timer);
    } catch (RuntimeException | Error e) {
      exchange.abandon();
      throw e;
    }
    if (client == null) {
      exchange.abandon();
    }
  }

  /** Runs a task again and again, whatever it throws. */
  public void every(Duration pause, Runnable task) {
    Future<?> unused =
        timer.scheduleWithFixedDelay(
            () -> guarded(task), pause.toMillis(), pause.toMillis(), TimeUnit.MILLISECONDS);
  }

  private static void guarded(Runnable task) {
    try {
      task.run();
    } catch (Throwable e) { // the outermost loop: must go on
      LOG.error("The upkeep of the HTTP transport failed; it is run again", e);
    }
  }

  /** Breaks off all requests and ends the threads. */
  @Override
  public void close() {
    client = null;
    underWay.forEach(TimedRequest::abandon);
    timer.shutdownNow();
    work.shutdown();
  }
}
