package io.angarium.server;

import io.angarium.half.HalfCall;
import io.angarium.http.HalfProblem;
import java.util.Collection;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The transports by which the servers of this centre send: a message for another one would wait for
 * ever, so who prepares it is told. Immutable.
 */
final class KnownTransports {
  /** Of a server that sends nothing itself, and so does not know. */
  static final KnownTransports ANY = new KnownTransports(Set.of());

  private final Set<String> names;

  private KnownTransports(Collection<String> names) {
    this.names = new TreeSet<>(names);
  }

  /**
   * @param names at least one
   */
  static KnownTransports of(Collection<String> names) {
    return new KnownTransports(names);
  }

  /** What is wrong with where a message shall go, if anything is. */
  Optional<Fault> faultOf(HalfCall call) {
    if (names.isEmpty() || !(call instanceof HalfCall.Prepare prepare)) {
      return Optional.empty();
    }
    String transport = prepare.message().message().destination().transport();
    return transport.isEmpty() || names.contains(transport)
        ? Optional.empty()
        : Optional.of(
            new Fault(
                422,
                HalfProblem.INVALID,
                "destination %s: no server of this centre sends over %s (known are %s; those that other servers have are named by %s.other-transports)"
                    .formatted(
                        prepare.message().message().destination(),
                        transport,
                        String.join(", ", names),
                        ServerProperties.PREFIX)));
  }
}
