package io.angarium.grpc;

import io.angarium.InvalidMessageException;
import io.angarium.grpc.v1.CheckBackGrpc;
import io.angarium.grpc.v1.CheckWire;
import io.angarium.half.CheckAnswer;
import io.angarium.half.CheckBack;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.grpc.BindableService;
import io.grpc.ServerServiceDefinition;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producer's side of check-backs over gRPC, as a service for any gRPC server: hands each
 * question to the {@link CheckBack} of its business.
 *
 * <p>A business that nobody here answers for is {@link Verdict#UNREACHABLE}, not {@link
 * Verdict#UNKNOWN}: the address or the deployment is wrong, e.g. an older version of the producer
 * answers, and says nothing about the transaction, while answers of unknown are counted until a
 * person must decide. A check-back that fails is unreachable as well; its exception stays in the
 * log here. Thread-safe.
 */
public final class GrpcCheckBackService implements BindableService {
  private static final Logger LOG = LoggerFactory.getLogger(GrpcCheckBackService.class);

  private static final int KEYS_MAX = 1_000;

  private final Map<String, CheckBack> byBusiness;
  private final BoundedExecution execution;

  /**
   * A service with at most 64 questions under way.
   *
   * @param byBusiness who answers for which business id
   * @param executor runs the check-backs, which may block; must run for as long as the server does
   */
  public GrpcCheckBackService(Map<String, CheckBack> byBusiness, Executor executor) {
    this(byBusiness, executor, BoundedExecution.REQUESTS_DEFAULT);
  }

  /**
   * A service with another number of questions under way.
   *
   * @param questionsMax further ones fail at once, so that they are asked again, 1..10 000
   * @throws io.angarium.ConfigurationException if the number is out of range
   */
  public GrpcCheckBackService(
      Map<String, CheckBack> byBusiness, Executor executor, int questionsMax) {
    this.byBusiness = Map.copyOf(byBusiness);
    this.execution = new BoundedExecution(executor, questionsMax);
  }

  @Override
  public ServerServiceDefinition bindService() {
    return WellFormedRequests.of(
        new CheckBackGrpc.CheckBackImplBase() {
          @Override
          public void check(
              CheckWire.CheckRequest request, StreamObserver<CheckWire.CheckResponse> to) {
            if (!execution.tryRun(() -> answer(request, to))) {
              to.onError(
                  Status.RESOURCE_EXHAUSTED
                      .withDescription("too many questions are under way here; ask again later")
                      .asRuntimeException());
            }
          }
        }.bindService());
  }

  private Runnable answer(
      CheckWire.CheckRequest request, StreamObserver<CheckWire.CheckResponse> to) {
    CheckWire.CheckResponse.Builder response = CheckWire.CheckResponse.newBuilder();
    try {
      answers(keys(request)).forEach(answer -> response.addAnswers(checked(answer)));
    } catch (InvalidMessageException e) {
      Status invalid = Status.INVALID_ARGUMENT.withDescription(Excerpt.of(e.getMessage()));
      return () -> to.onError(invalid.asRuntimeException());
    }
    return () -> {
      to.onNext(response.build());
      to.onCompleted();
    };
  }

  private static List<HalfKey> keys(CheckWire.CheckRequest request) {
    int count = request.getKeysCount();
    if (count < 1 || count > KEYS_MAX) {
      throw new InvalidMessageException("keys: " + count + " (expected: 1.." + KEYS_MAX + ")");
    }
    return request.getKeysList().stream()
        .map(key -> CallDecoding.key(request.getBusiness(), key))
        .toList();
  }

  private List<CheckAnswer> answers(List<HalfKey> keys) {
    String business = keys.get(0).business();
    CheckBack checkBack = byBusiness.get(business);
    if (checkBack == null) {
      return CheckAnswer.unreachable(
          keys.size(), "nobody here answers for business '" + business + "'");
    }
    try {
      List<Verdict> verdicts = checkBack.checkAll(keys);
      if (isOneForEach(verdicts, keys)) {
        return verdicts.stream().map(CheckAnswer::of).toList();
      }
      LOG.warn(
          "The check-back of {} gave {} for {} keys, the first one {}; it is asked again",
          business,
          verdicts,
          keys.size(),
          keys.get(0));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (Throwable e) { // of users' code; who asks waits for an answer
      LOG.warn(
          "The check-back of {} failed for {} keys, the first one {}; it is asked again",
          business,
          keys.size(),
          keys.get(0),
          e);
    }
    return CheckAnswer.unreachable(
        keys.size(), "it cannot be found out now; the log of the producer says why");
  }

  /** Users' code may give anything. */
  private static boolean isOneForEach(@Nullable List<Verdict> verdicts, List<HalfKey> keys) {
    return verdicts != null
        && verdicts.size() == keys.size()
        && verdicts.stream().allMatch(verdict -> verdict != null);
  }

  private static CheckWire.Checked checked(CheckAnswer answer) {
    String reason = answer.reason();
    return CheckWire.Checked.newBuilder()
        .setVerdict(Codes.of(answer.verdict()))
        .setReason(reason == null ? "" : reason)
        .build();
  }
}
