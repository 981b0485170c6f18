package io.angarium.server.dubbo;

import io.angarium.dubbo.HalfMessageService;
import io.angarium.dubbo.HalfMessagesOverDubbo;
import io.angarium.dubbo.HalfServiceException;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.server.access.Access;
import io.angarium.server.access.Caller;
import io.angarium.server.calls.MessageDesk;
import io.angarium.server.problem.ProblemException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.dubbo.rpc.RpcContext;

/**
 * Half messages as one caller over Dubbo may use them: by the same {@link Access} and {@link
 * MessageDesk} as those over HTTP. Thread-safe.
 */
final class DubboHalfDesk implements HalfMessages {
  /** Maximum length of a key or a token, as over gRPC; a longer text is neither. */
  private static final int SHOWN_LENGTH_MAX = 32 << 10;

  private final MessageDesk desk;
  private final Caller caller;

  private DubboHalfDesk(MessageDesk desk, Caller caller) {
    this.desk = desk;
    this.caller = caller;
  }

  /** Returns the service that is offered; it serves each request for its own caller. */
  static HalfMessageService service(MessageDesk desk, Access access) {
    return HalfMessagesOverDubbo.forCallers(
        () -> new DubboHalfDesk(desk, answered(() -> caller(access))));
  }

  /** Who makes the request that is worked at now. */
  private static Caller caller(Access access) {
    String shown = RpcContext.getServerAttachment().getAttachment(HalfMessageService.API_KEY);
    boolean tooLong = shown != null && shown.length() > SHOWN_LENGTH_MAX;
    return access.callerOverDubbo(tooLong ? null : shown);
  }

  @Override
  public List<HalfAnswer> callAll(List<HalfCall> calls) {
    return answered(
        () -> {
          caller.count(calls.size());
          return desk.callAll(caller, calls);
        });
  }

  @Override
  public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
    List<HalfKey> all = List.copyOf(keys);
    List<HalfState> states =
        answered(
            () -> {
              caller.count(all.size());
              return desk.states(caller, all);
            });
    Map<HalfKey, HalfState> byKey = new HashMap<>();
    for (int i = 0; i < all.size(); i++) {
      byKey.put(all.get(i), states.get(i));
    }
    return byKey;
  }

  /** Reports a problem of the work as {@link HalfServiceException}, with the code of HTTP. */
  private static <T> T answered(Supplier<T> work) {
    try {
      return work.get();
    } catch (ProblemException e) {
      throw new HalfServiceException(e.code(), String.valueOf(e.getMessage()), e.calls());
    }
  }
}
