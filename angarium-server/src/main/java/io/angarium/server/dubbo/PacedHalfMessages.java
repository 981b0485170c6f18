package io.angarium.server.dubbo;

import io.angarium.TimeSource;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.internal.DurationText;
import io.angarium.server.access.CallerRates;
import io.angarium.server.problem.ProblemException;
import io.angarium.server.settings.ServerProperties;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * Half messages at a rate for each address that calls over Dubbo: of callers who show nothing else,
 * the address alone is not what they choose to write. Thread-safe.
 */
final class PacedHalfMessages implements HalfMessages {
  /** All whose address is not known share one rate. */
  private static final String NOWHERE = "an address that is not known";

  private final HalfMessages half;
  private final @Nullable Integer perSecond;
  private final CallerRates rates;

  /**
   * @param perSecond calls of each address; null for any number
   */
  PacedHalfMessages(HalfMessages half, @Nullable Integer perSecond, TimeSource time) {
    this.half = half;
    this.perSecond = perSecond;
    this.rates = new CallerRates(CallerRates.CALLERS_MAX, time);
  }

  /**
   * Makes calls.
   *
   * @throws RpcException if there were too many; then none takes effect
   */
  @Override
  public List<HalfAnswer> callAll(List<HalfCall> calls) {
    count(calls.size());
    return half.callAll(calls);
  }

  /** Asks; see {@link #callAll}. */
  @Override
  public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
    count(keys.size());
    return half.states(keys);
  }

  private void count(int calls) {
    String address = address();
    Duration pause = rates.of(address, perSecond).take(calls);
    if (!pause.isZero()) {
      throw tooMany(address, pause);
    }
  }

  /** Returns the address of the caller whose request this thread works at. */
  private static String address() {
    InetSocketAddress remote = RpcContext.getServiceContext().getRemoteAddress();
    InetAddress address = remote == null ? null : remote.getAddress();
    return address == null ? NOWHERE : address.getHostAddress();
  }

  private static RpcException tooMany(String address, Duration pause) {
    return tooMany(
        "%s makes more calls in a second than %s.dubbo.rate permits; nothing took effect, repeat the call in %s"
            .formatted(
                address,
                ServerProperties.PREFIX,
                DurationText.of(Duration.ofMillis(pause.toMillis() + 1))));
  }

  /** What callers get whom another limit refuses. */
  static RpcException tooMany(ProblemException problem) {
    return tooMany(String.valueOf(problem.getMessage()));
  }

  private static RpcException tooMany(String reason) {
    RpcException refusal = new RpcException(RpcException.LIMIT_EXCEEDED_EXCEPTION, reason);
    refusal.setStackTrace(new StackTraceElement[0]);
    return refusal;
  }
}
