package io.angarium.jdbc.internal.desk;

import io.angarium.desk.ActBy;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.store.lease.NodeId;
import java.time.Duration;

/** Statements of pauses. They are the same on every database but for the clock. Thread-safe. */
public final class PauseDialect {
  private final TableNames names;
  private final ClockDialect clock;

  public PauseDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
  }

  // ---- the number of the last act

  private static final String VERSION =
      """
      SELECT pauses
      FROM outbox_control
      WHERE one = TRUE
      """;

  /** Reads the number of the last act. */
  public Sql version() {
    return Sql.of(in(VERSION));
  }

  private static final String LOCK_VERSION =
      """
      SELECT pauses, :now
      FROM outbox_control
      WHERE one = TRUE
      FOR UPDATE
      """;

  /** Reads the number of the last act, and the time; no other act begins before this one ends. */
  public Sql lockVersion() {
    return Sql.of(in(LOCK_VERSION));
  }

  /** Parameter: number. */
  private static final String FIRST_VERSION =
      """
      INSERT INTO outbox_control (one, pauses)
      VALUES (TRUE, ?)
      """;

  /** Adds the row of the number, if somebody has emptied the table. */
  public Sql firstVersion(long version) {
    return Sql.of(in(FIRST_VERSION), version);
  }

  /** Parameter: number. */
  private static final String RAISE_VERSION =
      """
      UPDATE outbox_control
      SET pauses = ?
      WHERE one = TRUE
      """;

  public Sql raiseVersion(long version) {
    return Sql.of(in(RAISE_VERSION), version);
  }

  // ---- pauses

  private static final String REMAINING =
      """
      SELECT destination, until_at, :now
      FROM outbox_pause
      WHERE until_at > :now
      ORDER BY id
      """;

  /** Reads destinations that are paused, until when, and the time. */
  public Sql remaining() {
    return Sql.of(in(REMAINING));
  }

  private static final String IN_FORCE =
      """
      SELECT
        p.id, p.version, p.destination, p.since, p.until_at, p.paused_by, p.reason,
        (SELECT COUNT(*)
          FROM outbox_pause_applied a JOIN outbox_node n ON n.incarnation = a.incarnation
          WHERE n.expires_at > :now AND a.version >= p.version),
        (SELECT COUNT(*) FROM outbox_node WHERE expires_at > :now)
      FROM outbox_pause p
      WHERE p.until_at > :now
      ORDER BY p.until_at, p.id
      """;

  /**
   * Reads pauses: number, number of the act, destinations, since, until, by, reason, how many live
   * nodes have applied it, how many there are.
   */
  public Sql inForce() {
    return Sql.of(in(IN_FORCE));
  }

  /** Parameters: number of the act, destinations, length, who, why. */
  private static final String ADD =
      """
      INSERT INTO outbox_pause (version, destination, since, until_at, paused_by, reason)
      VALUES (?, ?, :now, :later, ?, ?)
      """;

  public Sql add(long version, String destinations, Duration length, ActBy by) {
    return Sql.of(
        in(ADD),
        version,
        destinations,
        clock.scaled(length),
        by.decision().by(),
        by.decision().reason());
  }

  /** Parameters: number of the act, length, who, why, number of the former one. */
  private static final String ADD_LONGER =
      """
      INSERT INTO outbox_pause (version, destination, since, until_at, paused_by, reason)
      SELECT ?, p.destination, p.since, :later, ?, ?
      FROM outbox_pause p
      WHERE p.id = ?
      """;

  /** Adds a pause that goes on from another one of the same destinations. */
  public Sql addLonger(long version, Duration length, ActBy by, long former) {
    return Sql.of(
        in(ADD_LONGER),
        version,
        clock.scaled(length),
        by.decision().by(),
        by.decision().reason(),
        former);
  }

  /** Parameter: number. */
  private static final String DELETE =
      """
      DELETE FROM outbox_pause
      WHERE id = ?
      """;

  public Sql delete(long pause) {
    return Sql.of(in(DELETE), pause);
  }

  private static final String DELETE_ENDED =
      """
      DELETE FROM outbox_pause
      WHERE until_at <= :now
      """;

  /** Deletes pauses whose time is over. */
  public Sql deleteEnded() {
    return Sql.of(in(DELETE_ENDED));
  }

  // ---- what nodes have applied

  /** Parameters: number of the act, incarnation. */
  private static final String APPLY_AGAIN =
      """
      UPDATE outbox_pause_applied
      SET version = ?, applied_at = :now
      WHERE incarnation = ?
      """;

  /** Notes a later act for a node that has applied one before. */
  public Sql applyAgain(NodeId node, long version) {
    return Sql.of(in(APPLY_AGAIN), version, clock.bound(node.incarnation()));
  }

  /** Parameters: incarnation, node, number of the act. */
  private static final String APPLY_FIRST =
      """
      INSERT INTO outbox_pause_applied (incarnation, node, version, applied_at)
      VALUES (?, ?, ?, :now)
      """;

  public Sql applyFirst(NodeId node, long version) {
    return Sql.of(in(APPLY_FIRST), clock.bound(node.incarnation()), node.name(), version);
  }

  /** Parameter: incarnation. */
  private static final String FORGET_GONE =
      """
      DELETE FROM outbox_pause_applied
      WHERE incarnation <> ? AND incarnation NOT IN (SELECT incarnation FROM outbox_node)
      """;

  /** Forgets what nodes applied that are not there any more. */
  public Sql forgetGone(NodeId asking) {
    return Sql.of(in(FORGET_GONE), clock.bound(asking.incarnation()));
  }

  private String in(String text) {
    return names.in(clock.in(text));
  }
}
