package io.angarium.server.calls;

import io.angarium.half.HalfCall;
import io.angarium.half.check.CheckBackTransport;
import io.angarium.http.half.HalfProblem;
import io.angarium.server.problem.Fault;
import io.angarium.server.settings.ServerProperties;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * What nobody may ask for, whatever is permitted: to be asked at an address that is not, said when
 * they prepare and not hours later, to go where no server sends, and what is reserved for steps of
 * dtm. Immutable.
 */
public final class CheckBackAddresses {
  private final Map<String, CheckBackTransport> byScheme = new HashMap<>();
  private final Function<HalfCall, Optional<Fault>> reserved;
  private final KnownTransports known;

  /**
   * @param transports over which producers are asked
   * @param reserved what is wrong with a call that only dtm's may be, if anything is
   * @param known over which messages are sent
   */
  public CheckBackAddresses(
      Collection<CheckBackTransport> transports,
      Function<HalfCall, Optional<Fault>> reserved,
      KnownTransports known) {
    this.reserved = reserved;
    this.known = known;
    for (CheckBackTransport transport : transports) {
      transport.schemes().forEach(scheme -> byScheme.put(scheme, transport));
    }
  }

  /** What is wrong with a call that is not one of dtm's, if anything is. */
  Optional<Fault> faultOf(HalfCall call) {
    return reserved.apply(call).or(() -> known.faultOf(call)).or(() -> faultOfAddress(call));
  }

  /** What is wrong with the address that a call brings, if it brings one. */
  Optional<Fault> faultOfAddress(HalfCall call) {
    URI address = call instanceof HalfCall.Prepare prepare ? prepare.message().checkBack() : null;
    if (address == null) {
      return Optional.empty();
    }
    CheckBackTransport transport =
        byScheme.get(String.valueOf(address.getScheme()).toLowerCase(Locale.ROOT));
    String business = call.key().business();
    Optional<String> refusal =
        transport == null
            ? Optional.of(
                "%s: nobody here asks over %s (expected: one of %s); name the hosts of producers by angarium.half.check.allowed-hosts, or below angarium.server.check-back"
                    .formatted(address, address.getScheme(), new TreeSet<>(byScheme.keySet())))
            : transport.refusal(business, address).map(reason -> reason + where(address, business));
    return refusal.map(reason -> new Fault(422, HalfProblem.INVALID, "check-back " + reason));
  }

  private static String where(URI address, String business) {
    String scheme = address.getScheme().toLowerCase(Locale.ROOT);
    String property =
        scheme.matches("(.*\\+)?https?")
            ? "angarium.half.check.allowed-hosts"
            : scheme.startsWith("grpc")
                ? ServerProperties.PREFIX + ".check-back.grpc.allowed-hosts"
                : ServerProperties.PREFIX + ".check-back.dubbo.allowed-addresses";
    return "; what is allowed is set by %s, and %s-of.[%s] for this business"
        .formatted(property, property, business);
  }
}
