package io.angarium.grpc;

import io.angarium.grpc.v1.CheckBackGrpc;
import io.angarium.grpc.v1.CheckWire;
import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.angarium.half.check.AllowedByBusiness;
import io.angarium.half.check.CheckBackTransport;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.TlsChannelCredentials;
import io.grpc.stub.StreamObserver;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Asks producers over gRPC what became of their business transactions: addresses {@code
 * grpc://host:port}, and {@code grpcs://host:port} with TLS. {@link GrpcCheckBackService} is the
 * other side. Only hosts of the configuration are asked, as the addresses come from producers.
 * Thread-safe.
 */
public final class GrpcCheckBackTransport implements CheckBackTransport {
  /** How many keys a question has at most. */
  static final int KEYS_MAX = 500;

  private static final String CLOSED = "the transport of check-backs is closed";

  /** Answers to {@link #KEYS_MAX} keys with a reason each have room. */
  private static final int ANSWER_BYTES_MAX = 1 << 20;

  private final GrpcCheckBackConfig config;
  private final AllowedByBusiness allowed;
  private final Channels channels;
  private final Semaphore free;

  private final Set<Answers> underWay = ConcurrentHashMap.newKeySet();

  GrpcCheckBackTransport(
      GrpcCheckBackConfig config, Function<CheckBackAddress, ManagedChannel> open) {
    this.config = config;
    this.allowed = new AllowedByBusiness(config.allowedHosts());
    this.channels = new Channels(config.channels(), open);
    this.free = new Semaphore(config.questions());
  }

  /** A transport that trusts the certificates that this JVM trusts. Connects to nobody yet. */
  public static GrpcCheckBackTransport open(GrpcCheckBackConfig config) {
    return open(config, TlsChannelCredentials.create());
  }

  /**
   * A transport with credentials of its own. Connects to nobody yet.
   *
   * @param secure for addresses with {@code grpcs}, e.g. with a certificate to show
   */
  public static GrpcCheckBackTransport open(GrpcCheckBackConfig config, ChannelCredentials secure) {
    return new GrpcCheckBackTransport(config, address -> channel(address, secure));
  }

  static ManagedChannel channel(CheckBackAddress address, ChannelCredentials secure) {
    ChannelCredentials credentials =
        address.secure() ? secure : InsecureChannelCredentials.create();
    return Grpc.newChannelBuilder(address.target(), credentials)
        .maxInboundMessageSize(ANSWER_BYTES_MAX)
        .disableServiceConfigLookUp()
        .userAgent("Angarium")
        .build();
  }

  @Override
  public Set<String> schemes() {
    return Set.of(CheckBackAddress.PLAIN, CheckBackAddress.SECURE);
  }

  @Override
  public int keysMax() {
    return KEYS_MAX;
  }

  @Override
  public Optional<String> refusal(String business, URI address) {
    Optional<CheckBackAddress> parsed = CheckBackAddress.parse(address);
    if (parsed.isEmpty()) {
      return Optional.of(
          Excerpt.of(address.toString())
              + ": no address for a check-back (expected: grpc://host:port or grpcs://host:port)");
    }
    Set<String> hosts = allowed.of(business);
    String host = parsed.get().hostAndPort();
    return hosts.stream().anyMatch(entry -> entry.toLowerCase(Locale.ROOT).equals(host))
        ? Optional.empty()
        : Optional.of(
            host
                + " is not allowed for check-backs of "
                + business
                + " (expected: one of the allowed hosts); add it to them");
  }

  @Override
  public CompletionStage<List<CheckAnswer>> ask(URI address, List<HalfKey> keys) {
    Optional<String> refusal = refusal(keys.get(0).business(), address);
    if (refusal.isPresent()) {
      return unreachable(keys, refusal.get());
    }
    if (!free.tryAcquire()) {
      return unreachable(keys, "too many questions are under way");
    }
    CheckBackAddress producer = CheckBackAddress.parse(address).orElseThrow();
    Answers answers = new Answers(producer.hostAndPort(), keys.size());
    underWay.add(answers);
    CompletionStage<List<CheckAnswer>> ended =
        answers.ended.whenComplete(
            (done, never) -> {
              underWay.remove(answers);
              free.release();
            });
    start(producer, keys, answers);
    return ended;
  }

  private static CompletionStage<List<CheckAnswer>> unreachable(List<HalfKey> keys, String reason) {
    return CompletableFuture.completedFuture(CheckAnswer.unreachable(keys.size(), reason));
  }

  private void start(CheckBackAddress producer, List<HalfKey> keys, Answers answers) {
    CheckWire.CheckRequest.Builder question =
        CheckWire.CheckRequest.newBuilder().setBusiness(keys.get(0).business());
    keys.forEach(key -> question.addKeys(key.key()));
    try {
      boolean open =
          channels.call(
              producer,
              channel ->
                  CheckBackGrpc.newStub(channel)
                      .withDeadlineAfter(config.timeout().toNanos(), TimeUnit.NANOSECONDS)
                      .check(question.build(), answers));
      if (!open) {
        answers.unreachable(CLOSED);
      }
    } catch (RuntimeException e) {
      answers.onError(e);
    }
  }

  /** Breaks off what is under way. */
  @Override
  public void close() {
    channels.close();
    underWay.forEach(answers -> answers.unreachable(CLOSED));
  }

  /** What a producer sends, which is a stranger. */
  private static final class Answers implements StreamObserver<CheckWire.CheckResponse> {
    private final String host;
    private final int keys;
    private final CompletableFuture<List<CheckAnswer>> ended = new CompletableFuture<>();

    private volatile CheckWire.@Nullable CheckResponse response;

    Answers(String host, int keys) {
      this.host = host;
      this.keys = keys;
    }

    @Override
    public void onNext(CheckWire.CheckResponse value) {
      response = value;
    }

    @Override
    public void onError(Throwable cause) {
      unreachable(GrpcHalfMessages.describe(Status.fromThrowable(cause)));
    }

    @Override
    public void onCompleted() {
      CheckWire.CheckResponse answered = response;
      int count = answered == null ? 0 : answered.getAnswersCount();
      if (answered == null || count != keys) {
        unreachable(count + " answers for " + keys + " keys");
        return;
      }
      ended.complete(answered.getAnswersList().stream().map(this::answer).toList());
    }

    private CheckAnswer answer(CheckWire.Checked checked) {
      Optional<Verdict> verdict = Codes.verdict(checked.getVerdict());
      if (verdict.isEmpty()) {
        return new CheckAnswer(
            Verdict.UNREACHABLE,
            host + ": answered verdict " + checked.getVerdictValue() + ", which is not known here");
      }
      String reason = Excerpt.of(checked.getReason());
      return new CheckAnswer(verdict.get(), reason.isEmpty() ? null : reason);
    }

    void unreachable(String reason) {
      ended.complete(CheckAnswer.unreachable(keys, host + ": " + reason));
    }
  }
}
