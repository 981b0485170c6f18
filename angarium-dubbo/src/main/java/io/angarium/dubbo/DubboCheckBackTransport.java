package io.angarium.dubbo;

import io.angarium.dubbo.References.Loan;
import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckBackTransport;
import io.angarium.half.internal.remote.DubboAddress;
import io.angarium.half.internal.remote.PrintableExcerpt;
import io.angarium.internal.DurationText;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.rpc.RpcException;
import org.apache.dubbo.rpc.service.GenericException;
import org.jspecify.annotations.Nullable;

/**
 * Asks producers over Dubbo what became of their business transactions, by a generic call of
 * TrustMessage's {@code VerifyMessageService}: neither its interface nor its classes are needed
 * here. Addresses are {@code dubbo://host:port}, {@code tri://host:port}, or a registry, {@code
 * zookeeper://a:2181,b:2181} (with Curator and ZooKeeper on the class path) or {@code
 * nacos://host:8848} (with its client); the service there is named by {@code
 * ?version=1.0.0&group=shop}. Only addresses of the configuration are asked, as they come from
 * producers. Connections are kept.
 *
 * <p>2 is committed, 3 rolled back, 1 unknown, as such a producer does not tell what is open from
 * what is lost; any other answer is unknown, none is unreachable. Thread-safe.
 */
public final class DubboCheckBackTransport implements CheckBackTransport {
  private static final int THREADS_MAX = 16;
  private static final int WAITING_MAX = 10_000;
  private static final int IDLE_SECONDS = 30;
  private static final int CAUSES_MAX = 20;
  private static final String CLOSED = "the transport of check-backs is closed";

  private final DubboCheckBackConfig config;
  private final AllowedAddresses allowed;
  private final DubboApplication application;
  private final References<Reference> references;
  private final ExecutorService threads;
  private final Set<Question> underWay = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  /** A question under way. Compared by identity. */
  private static final class Question {
    private final DubboAddress producer;
    private final HalfKey key;
    private final CompletableFuture<CheckAnswer> answer = new CompletableFuture<>();

    Question(DubboAddress producer, HalfKey key) {
      this.producer = producer;
      this.key = key;
    }

    void unreachable(String reason) {
      answer.complete(new CheckAnswer(Verdict.UNREACHABLE, reason));
    }
  }

  private DubboCheckBackTransport(
      DubboCheckBackConfig config, DubboApplication application, ExecutorService threads) {
    this.config = config;
    this.allowed = new AllowedAddresses(config.allowedAddresses());
    this.application = application;
    this.threads = threads;
    this.references =
        new References<>(
            config.referencesMax(),
            address -> new Reference(application.module(), address, config));
  }

  /**
   * Opens one with a Dubbo of its own. Connects to nobody yet.
   *
   * @param name how registries and producers know this application, e.g. {@code message-centre}
   */
  public static DubboCheckBackTransport open(String name, DubboCheckBackConfig config) {
    ThreadFactory factory = DubboApplication.threads("angarium-dubbo-check-back");
    ExecutorService threads = threads(factory);
    return new DubboCheckBackTransport(
        config, DubboApplication.open(name, factory, threads), threads);
  }

  private static ExecutorService threads(ThreadFactory factory) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            THREADS_MAX,
            THREADS_MAX,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(WAITING_MAX),
            factory);
    threads.allowCoreThreadTimeOut(true);
    return threads;
  }

  @Override
  public Set<String> schemes() {
    return Set.copyOf(DubboAddress.schemes());
  }

  /** One: TrustMessage's producers are asked for one key. */
  @Override
  public int keysMax() {
    return 1;
  }

  @Override
  public Optional<String> refusal(String business, URI address) {
    String text = address.toString();
    if (!isInteger(business)) {
      return Optional.of(
          "business '%s': Dubbo producers are asked by integers (expected: an integer)"
              .formatted(PrintableExcerpt.of(business)));
    }
    Optional<DubboAddress> parsed = DubboAddress.parse(text);
    return parsed.isEmpty()
        ? Optional.of(
            "%s: no address for a check-back (expected: %s)"
                .formatted(PrintableExcerpt.of(text), DubboAddress.FORM))
        : allowed.refusal(business, parsed.get());
  }

  /** The place, or where only a registry is named, the service that it knows. */
  @Override
  public String origin(URI address) {
    return DubboAddress.parse(address.toString())
        .map(known -> known.isRegistry() ? known.toString() : known.origin())
        .orElseGet(address::toString);
  }

  private static boolean isInteger(String business) {
    try {
      return String.valueOf(Integer.parseInt(business)).equals(business);
    } catch (NumberFormatException e) {
      return false;
    }
  }

  @Override
  public CompletionStage<List<CheckAnswer>> ask(URI address, List<HalfKey> keys) {
    HalfKey key = keys.get(0);
    Optional<String> refusal = refusal(key.business(), address);
    if (refusal.isPresent()) {
      return CompletableFuture.completedFuture(CheckAnswer.unreachable(1, refusal.get()));
    }
    Question question = new Question(DubboAddress.parse(address.toString()).orElseThrow(), key);
    underWay.add(question);
    try {
      threads.execute(() -> ask(question));
    } catch (RejectedExecutionException e) {
      question.unreachable(closed ? CLOSED : "too many questions are under way");
    }
    if (closed) {
      question.unreachable(CLOSED);
    }
    return question
        .answer
        .completeOnTimeout(late(question), config.answer().toMillis(), TimeUnit.MILLISECONDS)
        .whenComplete((done, never) -> underWay.remove(question))
        .thenApply(List::of);
  }

  private CheckAnswer late(Question question) {
    return new CheckAnswer(
        Verdict.UNREACHABLE,
        question.producer + " did not answer within " + DurationText.of(config.answer()));
  }

  private void ask(Question question) {
    if (question.answer.isDone()) {
      return; // it waited too long for a thread
    }
    Loan<Reference> loan;
    try {
      loan = references.borrow(question.producer);
    } catch (RuntimeException e) { // Dubbo's, when it is closed
      question.unreachable(question.producer + " cannot be asked: " + reason(e));
      return;
    }
    ask(question, loan);
  }

  private void ask(Question question, Loan<Reference> loan) {
    CompletionStage<Object> said;
    try {
      said = loan.reference().ask(Integer.parseInt(question.key.business()), question.key.key());
    } catch (RuntimeException e) {
      said = CompletableFuture.failedFuture(e);
    }
    said.whenComplete(
        (status, failure) -> {
          if (failure == null) {
            question.answer.complete(read(status));
          } else {
            question.unreachable(question.producer + " cannot be asked: " + reason(failure));
            forgetIfBroken(loan, failure);
          }
          references.giveBack(loan).forEach(Reference::close);
        });
  }

  /** Dubbo itself sets aside whom it did not reach, and goes on without one that is back. */
  private void forgetIfBroken(Loan<Reference> loan, Throwable failure) {
    boolean answered = failure instanceof GenericException;
    boolean late = failure instanceof RpcException rpc && rpc.isTimeout();
    if (!answered && !late) {
      references.forget(loan);
    }
  }

  private static CheckAnswer read(@Nullable Object status) {
    if (!(status instanceof Integer code)) {
      return unknown("the producer answered no number");
    }
    return switch (code) {
      case CheckBackService.COMMITTED -> CheckAnswer.of(Verdict.COMMITTED);
      case CheckBackService.ROLLED_BACK -> CheckAnswer.of(Verdict.ROLLED_BACK);
      case CheckBackService.PREPARED -> unknown("the producer says: prepared");
      default -> unknown("the producer answered " + code + " (expected: 1, 2 or 3)");
    };
  }

  private static CheckAnswer unknown(String reason) {
    return new CheckAnswer(Verdict.UNKNOWN, reason);
  }

  private static String reason(Throwable failure) {
    Throwable root = failure;
    for (int i = 0; i < CAUSES_MAX && root.getCause() != null; i++) {
      root = root.getCause();
    }
    return PrintableExcerpt.of(String.valueOf(root.getMessage()));
  }

  /**
   * Breaks off what is under way; waits for those who connect, 5 s at most, and for Dubbo's own
   * end.
   */
  @Override
  public void close() {
    closed = true;
    underWay.forEach(question -> question.unreachable(CLOSED));
    application.close();
  }
}
