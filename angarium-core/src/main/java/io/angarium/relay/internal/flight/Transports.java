package io.angarium.relay.internal.flight;

import io.angarium.ConfigFaults;
import io.angarium.Destination;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The transports by name. Immutable. */
public final class Transports {
  private static final String EXPECTED =
      "at least one, of angarium-kafka, angarium-rabbitmq, angarium-rocketmq or angarium-http, or a"
          + " HandlerTransport; a process that only writes needs no relay";

  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]*");

  /** All names together, with a comma between them, which other nodes read. */
  private static final int NAMES_LENGTH_MAX = 1_000;

  private final Map<String, Transport> byName = new LinkedHashMap<>();
  private final @Nullable Transport standard;

  /**
   * @param standardName the transport of destinations that name none; null for the only one
   * @throws io.angarium.ConfigurationException if names are used twice, or the standard is unknown
   */
  public Transports(List<Transport> transports, @Nullable String standardName) {
    ConfigFaults faults = new ConfigFaults();
    faults.require(!transports.isEmpty(), "transports", "none", EXPECTED);
    for (Transport transport : transports) {
      boolean once = byName.put(transport.name(), transport) == null;
      faults.require(once, "transport", transport.name(), "each name once");
      faults.require(
          NAME.matcher(transport.name()).matches(),
          "transport",
          transport.name(),
          "lower case letters, digits and dashes, a letter first");
    }
    int length = String.join(",", byName.keySet()).length();
    faults.require(
        length <= NAMES_LENGTH_MAX,
        "transports",
        length + " characters in all names with a comma between them",
        "at most " + NAMES_LENGTH_MAX);
    if (standardName != null) {
      faults.require(
          byName.containsKey(standardName),
          "relay.default-transport",
          standardName,
          "one of " + byName.keySet());
    }
    faults.throwIfAny();
    this.standard =
        standardName != null
            ? byName.get(standardName)
            : transports.size() == 1 ? transports.get(0) : null;
  }

  public @Nullable Transport of(Destination destination) {
    return destination.transport().isEmpty() ? standard : byName.get(destination.transport());
  }

  /** The result for a destination without a transport: it waits until one is configured. */
  public SendResult unknown(Destination destination) {
    return new SendResult.Unavailable(
        "no transport for destination '"
            + destination
            + "' (configured: "
            + byName.keySet()
            + "); configure it or name one of these in the destination",
        null);
  }

  public Set<String> names() {
    return Set.copyOf(byName.keySet());
  }

  public Collection<Transport> all() {
    return byName.values();
  }

  /** The longest time any transport takes for a result. */
  public Duration resultMax() {
    return byName.values().stream()
        .map(Transport::resultMax)
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
  }
}
