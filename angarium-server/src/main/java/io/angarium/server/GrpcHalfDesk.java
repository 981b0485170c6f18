package io.angarium.server;

import io.angarium.InvalidMessageException;
import io.angarium.OutboxException;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.NotPermittedException;
import io.angarium.http.HalfProblem;
import io.grpc.Status;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Half messages as whoever makes the request over gRPC may use them: by the same {@link
 * MessageDesk} as those over HTTP. Thread-safe.
 */
final class GrpcHalfDesk implements HalfMessages {
  private static final Set<String> NOT_LET_IN =
      Set.of(HalfProblem.UNAUTHENTICATED, HalfProblem.ISSUER_AWAY);

  private final MessageDesk desk;

  GrpcHalfDesk(MessageDesk desk) {
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
        throw Status.RESOURCE_EXHAUSTED.withDescription(e.getMessage()).asRuntimeException();
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
