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

  /**
   * Whether a destination takes messages: 0 closed (it does), 1 half open (tried), 2 open, 3
   * paused.
   */
  CIRCUIT(
      "angarium.circuit",
      Meter.Type.GAUGE,
      List.of("destination"),
      "Circuit of a destination: 0 closed, 1 half open, 2 open, 3 paused by a person"),

  /** Partitions taken (change {@code taken}) and given back or lost (change {@code gone}). */
  LEASE_CHANGES(
      "angarium.lease.changes",
      Meter.Type.COUNTER,
      List.of("change"),
      "Partitions taken and given back or lost by this node"),

  /** Partitions that this node relays now. */
  PARTITIONS(
      "angarium.partitions", Meter.Type.GAUGE, List.of(), "Partitions that this node relays now"),

  /** 1 if the relay runs, its lease is valid and its rounds end, 0 if not. */
  HEALTHY(
      "angarium.healthy",
      Meter.Type.GAUGE,
      List.of(),
      "1 if the relay runs with a valid lease, finishes its rounds, and the database takes its writes"),

  /**
   * 1 if all work of the background is done, 0 if some {@link
   * io.angarium.background.BackgroundWork} is not.
   */
  BACKGROUND_HEALTHY(
      "angarium.background.healthy",
      Meter.Type.GAUGE,
      List.of(),
      "1 if check-back, confirmation, retention, reconciliation and all else of the background go on"),

  /** Calls to the database that failed and are tried again, by what was tried. */
  STORE_FAILURES(
      "angarium.store.failures",
      Meter.Type.COUNTER,
      List.of("task"),
      "Calls to the database that failed and are tried again"),

  /**
   * Invariants found broken. Which {@code exact-delete}, {@code sequence}, {@code lease-row} or
   * {@code overdue}, see {@link io.angarium.store.Invariant}.
   */
  INVARIANT_BROKEN(
      "angarium.invariant.broken",
      Meter.Type.COUNTER,
      List.of("which"),
      "Findings that must never occur: a fault of the product or of its surroundings"),

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

  /** The part of the parked messages whose time has not come; counted to 10 000. */
  BACKLOG_DELAYED(
      "angarium.backlog.delayed",
      Meter.Type.GAUGE,
      List.of(),
      "Messages waiting for their time; counted to 10 000"),

  /**
   * The part of the parked messages that failed and is tried again, one for each key that stands
   * still; counted to 10 000.
   */
  BACKLOG_RETRYING(
      "angarium.backlog.retrying",
      Meter.Type.GAUGE,
      List.of(),
      "Messages waiting for a retry, one for each key that stands still; counted to 10 000"),

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
      "Age of the oldest message not yet sent, parked ones left out"),

  /** Delayed messages that no relay has put into the outbox in time; counted to 10 000. */
  BACKLOG_OVERDUE(
      "angarium.backlog.overdue",
      Meter.Type.GAUGE,
      List.of(),
      "Delayed messages that are late by a minute, as no relay moves them; counted to 10 000"),

  /** Messages that were sent and whose receipt has not come; counted to 10 000. */
  UNCONFIRMED(
      "angarium.unconfirmed",
      Meter.Type.GAUGE,
      List.of(),
      "Messages sent and not yet confirmed by their consumer; counted to 10 000"),

  /** Messages that waited for the receipt of their consumer, and have it. */
  CONFIRMED(
      "angarium.confirmed",
      Meter.Type.COUNTER,
      List.of(),
      "Messages sent and confirmed by their consumer"),

  /** Messages that were put into the outbox once more, as no consumer confirmed them in time. */
  RESENT(
      "angarium.resent",
      Meter.Type.COUNTER,
      List.of(),
      "Messages sent again, as no consumer confirmed them in time"),

  /**
   * Keys that a reconciliation found on one side only. Difference {@code missing} was produced and
   * not consumed, {@code unexpected} consumed and not produced, {@code repeated} consumed more
   * often than produced.
   */
  RECONCILIATION_DIFFERENCES(
      "angarium.reconciliation.differences",
      Meter.Type.COUNTER,
      List.of("difference", "task"),
      "Keys that a reconciliation found to differ between both sides"),

  /** Alerts that are on, of the node that looks for them; others have none. */
  ALERT(
      "angarium.alert",
      Meter.Type.GAUGE,
      List.of("rule", "severity"),
      "Alerts that are on, shown by the node that looks for them"),

  /** What channels of alerts were told, or could not be. */
  ALERT_NOTICES(
      "angarium.alert.notices",
      Meter.Type.COUNTER,
      List.of("channel", "result"),
      "Messages that channels of alerts have told, or could not tell"),

  /** Half messages that were prepared; repeats are not counted. */
  HALF_PREPARED(
      "angarium.half.prepared", Meter.Type.COUNTER, List.of("business"), "Half messages prepared"),

  /**
   * From the prepare of a half message to its outcome, by the clock of the database; its count is
   * the number of those that were decided, by a call, a check-back or a person. Outcome {@code
   * committed} or {@code rolled_back}.
   */
  HALF_DECIDED(
      "angarium.half.decided",
      Meter.Type.TIMER,
      List.of("business", "outcome"),
      "Prepare of a half message to its outcome; its count is the half messages decided"),

  /**
   * Calls that were refused. Refusal {@code unknown} was never prepared or is forgotten, {@code
   * already_committed} and {@code already_rolled_back} contradict what was decided before.
   */
  HALF_REFUSED(
      "angarium.half.refused",
      Meter.Type.COUNTER,
      List.of("business", "refusal"),
      "Calls for half messages that were refused"),

  /** Half messages that a producer was asked for, by what it answered. */
  HALF_CHECKS(
      "angarium.half.checks",
      Meter.Type.COUNTER,
      List.of("business", "verdict"),
      "Half messages whose producer was asked, by its answer"),

  /** Half messages that wait for a person from now on, as nobody knew what became of them. */
  HALF_GIVEN_UP(
      "angarium.half.given.up",
      Meter.Type.COUNTER,
      List.of("business"),
      "Half messages that came to wait for a person"),

  /** Addresses at which this node finds no producer, for longer than is tolerated. */
  HALF_UNREACHABLE(
      "angarium.half.unreachable",
      Meter.Type.GAUGE,
      List.of(),
      "Addresses of check-backs where this node has found nobody for too long"),

  /** Half messages prepared for longer than the first question waits; counted to 10 000. */
  HALF_BACKLOG_UNDECIDED(
      "angarium.half.backlog.undecided",
      Meter.Type.GAUGE,
      List.of(),
      "Half messages not decided in time, which are asked for; counted to 10 000"),

  /**
   * Undecided half messages whose question is overdue: they should have been asked for and were
   * not. Counted to 10 000.
   */
  HALF_BACKLOG_OVERDUE(
      "angarium.half.backlog.overdue",
      Meter.Type.GAUGE,
      List.of(),
      "Half messages whose question is late by a minute: nobody asks; counted to 10 000"),

  /** Half messages that wait for a person; counted to 10 000. */
  HALF_BACKLOG_UNRESOLVED(
      "angarium.half.backlog.unresolved",
      Meter.Type.GAUGE,
      List.of(),
      "Half messages waiting for a person; counted to 10 000");

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

  /**
   * The keys of its tags, without the keys of {@link MetricsConfig#tags}; empty if there are none.
   */
  public List<String> tagKeys() {
    return tagKeys;
  }

  /** What it measures, for a person. */
  public String description() {
    return description;
  }
}
