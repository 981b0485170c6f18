package io.angarium.server.grpc;

import io.angarium.InvalidMessageException;
import io.angarium.OutboxException;
import io.angarium.grpc.GrpcHalfService;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.NotPermittedException;
import io.angarium.http.half.HalfProblem;
import io.angarium.server.access.Caller;
import io.angarium.server.calls.MessageDesk;
import io.angarium.server.problem.ProblemException;
import io.grpc.Status;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Half messages over gRPC, as the caller of the current request may use them. It uses the same
 * {@link MessageDesk} as half messages over HTTP. Thread-safe.
 */
public final class GrpcHalfDesk implements HalfMessages {
  private static final Set<String> NOT_LET_IN =
      Set.of(HalfProblem.UNAUTHENTICATED, HalfProblem.ISSUER_AWAY);

  private final MessageDesk desk;

  public GrpcHalfDesk(MessageDesk desk) {
    this.desk = desk;
  }

  @Override
  public List<HalfAnswer> callAll(List<HalfCall> calls) {
    return answered(() -> desk.callAll(counted(calls.size()), calls));
  }

  @Override
  public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
    List<HalfKey> all = List.copyOf(keys);
    List<HalfState> states = answered(() -> desk.states(counted(all.size()), all));
    Map<HalfKey, HalfState> byKey = new HashMap<>();
    for (int i = 0; i < all.size(); i++) {
      byKey.put(all.get(i), states.get(i));
    }
    return byKey;
  }

  private static Caller counted(int calls) {
    Caller caller = GrpcAccess.caller();
    GrpcAccess.count(caller, calls);
    return caller;
  }

  private static <T> T answered(Supplier<T> work) {
    try {
      return work.get();
    } catch (ProblemException e) {
      if (e.code().equals(HalfProblem.TOO_MANY)) {
        Status status = Status.RESOURCE_EXHAUSTED.withDescription(e.getMessage());
        throw e.calls().isEmpty()
            ? status.asRuntimeException()
            : GrpcHalfService.someRefused(status);
      }
      if (NOT_LET_IN.contains(e.code())) {
        Status status = GrpcAccess.status(e.status());
        throw status.withDescription(e.getMessage()).asRuntimeException();
      }
      throw failure(e.code(), String.valueOf(e.getMessage()));
    }
  }

  private static OutboxException failure(String code, String detail) {
    return code.equals(HalfProblem.NOT_PERMITTED)
        ? new NotPermittedException(detail)
        : new InvalidMessageException(detail);
  }
}
