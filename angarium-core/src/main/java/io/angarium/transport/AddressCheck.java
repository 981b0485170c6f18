package io.angarium.transport;

import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Asks the transports of this process about the addresses of messages that are sent, so that a slip
 * is an error where it was made and not a dead letter. Destinations of transports that are not here
 * are taken: who relays knows them. Thread-safe; a destination that was asked about costs a look-up
 * without a lock.
 *
 * <p>Given to {@code MessageIntake.checking}. An outbox may be there before the transports, whose
 * handlers send by it: until {@link #know} every destination is taken.
 */
public final class AddressCheck implements Consumer<Destination> {
  /** Destinations remembered; where there are more, the others are asked about each time. */
  static final int REMEMBERED_MAX = 1_000;

  private final @Nullable String defaultTransport;
  private volatile Known known = new Known(Map.of(), null, Set.of());

  /** The transports, and what they found nothing wrong with. */
  private record Known(
      Map<String, Transport> byName, @Nullable Transport standard, Set<Destination> wellFormed) {
    @Nullable Transport of(Destination destination) {
      return destination.transport().isEmpty() ? standard : byName.get(destination.transport());
    }
  }

  /**
   * Creates a check that knows no transports yet.
   *
   * @param defaultTransport the name of the one for destinations that name none; null for the only
   *     one, as at the relay
   */
  public AddressCheck(@Nullable String defaultTransport) {
    this.defaultTransport = defaultTransport;
  }

  /** These are the transports of this process from now on. */
  public void know(Collection<? extends Transport> transports) {
    Map<String, Transport> byName =
        transports.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    Transport::name, Function.identity(), (first, again) -> first));
    Transport only = byName.size() == 1 ? byName.values().iterator().next() : null;
    Transport standard = defaultTransport == null ? only : byName.get(defaultTransport);
    known = new Known(byName, standard, ConcurrentHashMap.newKeySet());
  }

  /**
   * Checks a destination.
   *
   * @throws InvalidMessageException if its transport is here and finds the address malformed
   */
  @Override
  public void accept(Destination destination) {
    Known now = known;
    if (now.wellFormed.contains(destination)) {
      return;
    }
    Transport transport = now.of(destination);
    if (transport == null) {
      return;
    }
    transport
        .addressFault(destination.address())
        .ifPresent(
            fault -> {
              throw new InvalidMessageException(of(destination) + fault);
            });
    if (now.wellFormed.size() < REMEMBERED_MAX) {
      now.wellFormed.add(destination);
    }
  }

  /** Omits an address that names no transport, because the fault repeats it. */
  private static String of(Destination destination) {
    return "destination: " + (destination.transport().isEmpty() ? "" : "'" + destination + "': ");
  }
}
