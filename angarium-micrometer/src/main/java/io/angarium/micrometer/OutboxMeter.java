package io.angarium.micrometer;

import io.micrometer.core.instrument.Meter;
import java.util.List;

/**
 * Every meter of this module: the one table that code, Javadoc and {@code docs/operations.md}
 * share. Names are Micrometer's; a registry may write them in its own style, e.g. {@code
 * angarium_delivery_seconds_count}.
 */
public enum OutboxMeter {
  /**
   * From the creation of a message in the database to the broker's acknowledgement; its count is
   * the number of messages sent. Route {@code prompt} was sent straight after its commit, {@code
   * compensated} found later in the database, {@code retried} sent from the parked list.
   */
  DELIVERY(
      "angarium.delivery",
      Meter.Type.TIMER,
      List.of("destination", "route"),
      "Creation of a message to the broker's acknowledgement; its count is the messages sent"),

  /**
   * Attempts that were not acknowledged. Outcome {@code failed} costs an attempt, {@code refused}
   * makes a dead letter at once, {@code unavailable} costs nothing and opens the circuit.
   */
  ATTEMPTS_FAILED(
      "angarium.attempts.failed",
      Meter.Type.COUNTER,
      List.of("destination", "outcome"),
      "Attempts to send that were not acknowledged"),

  /** Messages that became dead letters. */
  DEAD(
      "angarium.dead",
      Meter.Type.COUNTER,
      List.of("destination"),
      "Messages that became dead letters"),

  /** Whether a destination takes messages: 0 closed (it does), 1 half open (tried), 2 open. */
  CIRCUIT(
      "angarium.circuit",
      Meter.Type.GAUGE,
      List.of("destination"),
      "Circuit of a destination: 0 closed, 1 half open, 2 open"),

  /** Partitions taken (change {@code taken}) and given back or lost (change {@code gone}). */
  LEASE_CHANGES(
      "angarium.lease.changes",
      Meter.Type.COUNTER,
      List.of("change"),
      "Partitions taken and given back or lost by this node"),

  /** Partitions that this node relays now. */
  PARTITIONS(
      "angarium.partitions", Meter.Type.GAUGE, List.of(), "Partitions that this node relays now"),

  /** 1 if the relay runs and its lease is valid, 0 if not. */
  HEALTHY(
      "angarium.healthy", Meter.Type.GAUGE, List.of(), "1 if the relay runs with a valid lease"),

  /** Calls to the database that failed and are tried again, by what was tried. */
  STORE_FAILURES(
      "angarium.store.failures",
      Meter.Type.COUNTER,
      List.of("task"),
      "Calls to the database that failed and are tried again"),

  /** Committed messages not yet sent; above 10 000 an estimate. */
  BACKLOG_DEPTH(
      "angarium.backlog.depth",
      Meter.Type.GAUGE,
      List.of(),
      "Committed messages not yet sent; an estimate above 10 000"),

  /** Messages that wait for a retry, behind a failed one, or for their time; counted to 10 000. */
  BACKLOG_PARKED(
      "angarium.backlog.parked",
      Meter.Type.GAUGE,
      List.of(),
      "Messages waiting for a retry, behind a failed one, or for their time; counted to 10 000"),

  /** Dead letters that wait for a person; counted to 10 000. */
  BACKLOG_DEAD(
      "angarium.backlog.dead",
      Meter.Type.GAUGE,
      List.of(),
      "Dead letters waiting for a person; counted to 10 000"),

  /** Age of the oldest message not yet sent; parked ones are left out. */
  BACKLOG_OLDEST_AGE(
      "angarium.backlog.oldest.age",
      Meter.Type.GAUGE,
      List.of(),
      "Age of the oldest message not yet sent, parked ones left out");

  private final String meterName;
  private final Meter.Type type;

  @SuppressWarnings("ImmutableEnumChecker") // made by List.of
  private final List<String> tagKeys;

  private final String description;

  OutboxMeter(String meterName, Meter.Type type, List<String> tagKeys, String description) {
    this.meterName = meterName;
    this.type = type;
    this.tagKeys = tagKeys;
    this.description = description;
  }

  /** The name in Micrometer's style. */
  public String meterName() {
    return meterName;
  }

  /** What kind of meter it is. */
  public Meter.Type type() {
    return type;
  }

  /** The keys of its tags, besides those of {@link MetricsConfig#tags}; empty if there are none. */
  public List<String> tagKeys() {
    return tagKeys;
  }

  /** What it measures, for a person. */
  public String description() {
    return description;
  }
}
