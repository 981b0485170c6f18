package io.angarium.transport;

import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import io.angarium.internal.EditDistance;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the transports of this process about the addresses of messages that are sent, so that a slip
 * is an error where it was made and not a dead letter. What happens to a destination whose
 * transport is not here is chosen by {@link UnknownTransport}. Thread-safe; a destination that was
 * asked about costs a look-up without a lock.
 *
 * <p>Given to {@code MessageIntake.checking}. An outbox may be there before the transports, whose
 * handlers send by it: until {@link #know} every destination is taken, and afterwards, too, if the
 * process has no transport at all.
 */
public final class AddressCheck implements Consumer<Destination> {
  /** Destinations remembered; where there are more, the others are asked about each time. */
  static final int REMEMBERED_MAX = 1_000;

  /** Names that are logged; a process to which callers give names writes no log without end. */
  static final int TOLD_MAX = 100;

  /** Wrong letters of a name that is still taken for a misspelt one. */
  private static final int EDITS_MAX = 2;

  private static final Logger LOG = LoggerFactory.getLogger(AddressCheck.class);

  private final @Nullable String defaultTransport;
  private final UnknownTransport unknown;
  private final Set<String> told = ConcurrentHashMap.newKeySet();
  private volatile Known known = new Known(Map.of(), null, Set.of());

  /** The transports, and the destinations that were taken. */
  private record Known(
      Map<String, Transport> byName, @Nullable Transport standard, Set<Destination> taken) {
    @Nullable Transport of(Destination destination) {
      return destination.transport().isEmpty() ? standard : byName.get(destination.transport());
    }
  }

  /**
   * Creates a check that knows no transports yet, and warns of unknown ones.
   *
   * @param defaultTransport the name of the one for destinations that name none; null for the only
   *     one, as at the relay
   */
  public AddressCheck(@Nullable String defaultTransport) {
    this(defaultTransport, UnknownTransport.WARN);
  }

  /**
   * Creates a check that knows no transports yet.
   *
   * @param defaultTransport the name of the one for destinations that name none; null for the only
   *     one, as at the relay
   * @param unknown what happens to a message for a transport that this process does not have
   */
  public AddressCheck(@Nullable String defaultTransport, UnknownTransport unknown) {
    this.defaultTransport = defaultTransport;
    this.unknown = unknown;
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
   * @throws InvalidMessageException if its transport is here and finds the address malformed, or is
   *     not here and unknown ones are refused
   */
  @Override
  public void accept(Destination destination) {
    Known now = known;
    if (now.byName.isEmpty() || now.taken.contains(destination)) {
      return;
    }
    Transport transport = now.of(destination);
    if (transport == null) {
      tell(now, destination);
    } else {
      check(transport, destination);
    }
    if (now.taken.size() < REMEMBERED_MAX) {
      now.taken.add(destination);
    }
  }

  private static void check(Transport transport, Destination destination) {
    transport
        .addressFault(destination.address())
        .ifPresent(
            fault -> {
              throw new InvalidMessageException(of(destination) + fault);
            });
  }

  private void tell(Known now, Destination destination) {
    if (unknown == UnknownTransport.OFF) {
      return;
    }
    if (unknown == UnknownTransport.REFUSE) {
      throw new InvalidMessageException(
          "destination: '"
              + destination
              + "': "
              + missing(now, destination)
              + "; correct the destination, or set angarium.unknown-transport=warn if another"
              + " process sends its messages");
    }
    if (told.size() < TOLD_MAX && told.add(destination.transport())) {
      LOG.warn(
          "Destination '{}': {}. Its messages wait in the database until a relay with that transport"
              + " runs. Correct the destination, or set angarium.unknown-transport=off if another"
              + " process sends them.",
          destination,
          missing(now, destination));
    }
  }

  private static String missing(Known now, Destination destination) {
    String names = String.join(", ", new TreeSet<>(now.byName.keySet()));
    return destination.transport().isEmpty()
        ? "it names no transport, and none of several is the default (expected: one of "
            + names
            + " before a colon, or angarium.relay.default-transport)"
        : "this process has no transport '"
            + destination.transport()
            + "'"
            + meant(now, destination)
            + " (expected: one of "
            + names
            + ")";
  }

  private static String meant(Known now, Destination destination) {
    List<String> like =
        EditDistance.nearest(
            destination.transport(),
            new TreeSet<>(now.byName.keySet()),
            UnaryOperator.identity(),
            EDITS_MAX);
    return like.isEmpty() ? "" : ", did you mean " + String.join(" or ", like) + "?";
  }

  /** Omits an address that names no transport, because the fault repeats it. */
  private static String of(Destination destination) {
    return "destination: " + (destination.transport().isEmpty() ? "" : "'" + destination + "': ");
  }
}
