package io.angarium.server;

import io.angarium.dubbo.HalfMessageService;
import io.angarium.dubbo.HalfMessagesOverDubbo;
import io.angarium.dubbo.HalfServiceException;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
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
  /** As over gRPC; what is longer is no key and no token. */
  private static final int SHOWN_LENGTH_MAX = 32 << 10;

  private final MessageDesk desk;
  private final Caller caller;

  private DubboHalfDesk(MessageDesk desk, Caller caller) {
    this.desk = desk;
    this.caller = caller;
  }

  /** What is offered: each request is for whoever makes it. */
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

  /** The codes are those of HTTP. */
  private static <T> T answered(Supplier<T> work) {
    try {
      return work.get();
    } catch (ProblemException e) {
      throw new HalfServiceException(e.code(), String.valueOf(e.getMessage()), e.calls());
    }
  }
}
