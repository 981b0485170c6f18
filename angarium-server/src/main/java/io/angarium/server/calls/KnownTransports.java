package io.angarium.server.calls;

import io.angarium.Destination;
import io.angarium.half.HalfCall;
import io.angarium.http.half.HalfProblem;
import io.angarium.internal.EditDistance;
import io.angarium.server.problem.Fault;
import io.angarium.server.settings.ServerProperties;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;

/**
 * The transports by which the servers of this centre send: a message for another one would wait for
 * ever, so who prepares it is told. Immutable.
 */
public final class KnownTransports {
  /** Accepts every transport, for a server that sends nothing itself and so does not know them. */
  public static final KnownTransports ANY = new KnownTransports(Set.of(), true);

  private static final int EDITS_MAX = 2;

  private final Set<String> names;
  private final boolean isDefaultKnown;

  private KnownTransports(Collection<String> names, boolean isDefaultKnown) {
    this.names = new TreeSet<>(names);
    this.isDefaultKnown = isDefaultKnown;
  }

  /**
   * Creates the transports of the centre's servers.
   *
   * @param names at least one
   * @param isDefaultKnown whether a server sends messages that name no transport
   */
  public static KnownTransports of(Collection<String> names, boolean isDefaultKnown) {
    return new KnownTransports(names, isDefaultKnown);
  }

  /** What is wrong with where a message shall go, if anything is. */
  Optional<Fault> faultOf(HalfCall call) {
    if (names.isEmpty() || !(call instanceof HalfCall.Prepare prepare)) {
      return Optional.empty();
    }
    Destination destination = prepare.message().message().destination();
    if (destination.transport().isEmpty()) {
      return isDefaultKnown
          ? Optional.empty()
          : fault(
              "destination %s: it names no transport, and this centre has no default one (known are %s; write one of them before a colon, or set angarium.relay.default-transport)"
                  .formatted(destination, String.join(", ", names)));
    }
    return names.contains(destination.transport())
        ? Optional.empty()
        : fault(
            "destination %s: no server of this centre sends over %s%s (known are %s; those that other servers have are named by %s.other-transports)"
                .formatted(
                    destination,
                    destination.transport(),
                    meant(destination.transport()),
                    String.join(", ", names),
                    ServerProperties.PREFIX));
  }

  private String meant(String transport) {
    List<String> like = EditDistance.nearest(transport, names, UnaryOperator.identity(), EDITS_MAX);
    return like.isEmpty() ? "" : ", did you mean " + String.join(" or ", like) + "?";
  }

  private static Optional<Fault> fault(String detail) {
    return Optional.of(new Fault(422, HalfProblem.INVALID, detail));
  }
}
