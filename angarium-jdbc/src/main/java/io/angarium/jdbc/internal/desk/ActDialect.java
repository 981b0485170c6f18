package io.angarium.jdbc.internal.desk;

import io.angarium.desk.ActBy;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.ClockDialect;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Statements that move or hurry messages for a person. All but {@link #discardedOf} run under the
 * leases of the partitions concerned. Thread-safe.
 */
public final class ActDialect {
  private final TableNames names;
  private final ClockDialect clock;

  public ActDialect(Dialect server) {
    this.names = server.names();
    this.clock = ClockDialect.of(server);
  }

  /** The columns that every table of messages has, but for the partition. */
  private static final String MESSAGE =
      """
      message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by\
      """;

  // ---- dead letters

  /**
   * The next one is the lowest that waits behind the dead letter; a dead letter that blocks its key
   * leaves the key no head. Parameters: who, why, operation, who, message ids.
   */
  private static final String DISCARD_DEAD =
      """
      INSERT INTO outbox_discarded (
        discarded_at, discarded_by, why, operation_id, was, next_id, id, partition_no, key_hash,
        blocks_key, attempts, reason, dead_since, created_at, updated_by, payload,
        :message)
      SELECT
        :now, :text, :text, :uuid, 'dead',
        CASE WHEN d.blocks_key THEN (
          SELECT p.id
          FROM outbox_parked AS p:by_key
          WHERE p.partition_no = d.partition_no AND p.key_hash = d.key_hash AND p.head = FALSE
            AND p.id > d.id
          ORDER BY p.partition_no, p.key_hash, p.head, p.id
          LIMIT 1) END,
        d.id, d.partition_no, d.key_hash,
        d.blocks_key, d.attempts, d.reason, d.dead_since, d.created_at, :text, d.payload,
        :message
      FROM outbox_dead AS d:by_message
      WHERE d.message_id IN ({?|, })
      """;

  /** Copies dead letters to the discarded messages. */
  public Sql discardDead(Collection<UUID> ids, ActBy by) {
    return ofIds(DISCARD_DEAD, ids, decided(by));
  }

  /** Parameters: message ids. */
  private static final String DEAD_OF =
      """
      SELECT partition_no, id, message_id, destination, message_key
      FROM outbox_dead:by_message
      WHERE message_id IN ({?|, })
      ORDER BY id, partition_no
      """;

  /** Reads partition, number, message id, destination and key of dead letters. */
  public Sql deadOf(Collection<UUID> ids) {
    return ofIds(DEAD_OF, ids);
  }

  /** Parameters: payload, message ids. */
  private static final String CORRECT_PAYLOADS =
      """
      UPDATE outbox_dead:by_message
      SET payload = ?
      WHERE message_id IN ({?|, })
      """;

  /** Gives dead letters another payload. */
  public Sql correctPayloads(Collection<UUID> ids, byte[] payload) {
    return ofIds(CORRECT_PAYLOADS, ids, payload);
  }

  /** Parameters: headers, message ids. */
  private static final String CORRECT_HEADERS =
      """
      UPDATE outbox_dead:by_message
      SET headers = :text
      WHERE message_id IN ({?|, })
      """;

  /** Gives dead letters other headers; null takes all of them away. */
  public Sql correctHeaders(Collection<UUID> ids, @Nullable String headers) {
    return ofIds(CORRECT_HEADERS, ids, headers);
  }

  /** Where a message belongs; the hash is 0 without a key. */
  record Place(String destination, @Nullable String key, long keyHash, int partition) {}

  /** Parameters: destination, key, its hash, partition, number and partition of the letter. */
  private static final String MOVE_DEAD =
      """
      UPDATE outbox_dead:primary
      SET destination = :text, message_key = :text, key_hash = ?, partition_no = ?,
        blocks_key = FALSE
      WHERE id = ? AND partition_no = ?
      """;

  /** Moves a dead letter to another destination or key, where it blocks nothing. */
  Sql moveDead(Position letter, Place to) {
    return Sql.of(
        in(MOVE_DEAD),
        to.destination(),
        to.key(),
        to.keyHash(),
        to.partition(),
        letter.sequence(),
        letter.partition());
  }

  // ---- delayed messages

  /** Parameters: message ids. */
  private static final String DELAYED_OF =
      """
      SELECT id, partition_no, message_id
      FROM outbox_delayed:by_message
      WHERE message_id IN ({?|, })
      """;

  /** Reads number, partition and message id of delayed messages. */
  public Sql delayedOf(Collection<UUID> ids) {
    return ofIds(DELAYED_OF, ids);
  }

  /** Parameters: numbers. */
  private static final String LOCK_DELAYED =
      """
      SELECT id, partition_no, message_id
      FROM outbox_delayed:primary
      WHERE id IN ({?|, })
      ORDER BY id
      FOR UPDATE
      """;

  /** Locks those delayed messages that are still there, as {@link #delayedOf} reads them. */
  public Sql lockDelayed(Collection<Long> numbers) {
    return ofNumbers(LOCK_DELAYED, numbers);
  }

  /** Parameters: who, why, operation, who, numbers. */
  private static final String DISCARD_DELAYED =
      """
      INSERT INTO outbox_discarded (
        discarded_at, discarded_by, why, operation_id, was, due_at, id, partition_no, key_hash,
        blocks_key, attempts, created_at, updated_by, payload,
        :message)
      SELECT
        :now, :text, :text, :uuid, 'delayed', due_at, id, partition_no, 0,
        FALSE, 0, created_at, :text, payload,
        :message
      FROM outbox_delayed:primary
      WHERE id IN ({?|, })
      """;

  /** Copies delayed messages to the discarded ones. */
  public Sql discardDelayed(Collection<Long> numbers, ActBy by) {
    return ofNumbers(DISCARD_DELAYED, numbers, decided(by));
  }

  /** Parameters: numbers. */
  private static final String DELETE_DELAYED =
      """
      DELETE FROM outbox_delayed:primary
      WHERE id IN ({?|, })
      """;

  public Sql deleteDelayed(Collection<Long> numbers) {
    return ofNumbers(DELETE_DELAYED, numbers);
  }

  /** One that is due already keeps its place among those. Parameters: who, numbers. */
  private static final String HURRY_DELAYED =
      """
      UPDATE outbox_delayed:primary
      SET due_at = LEAST(due_at, :now), updated_by = :text
      WHERE id IN ({?|, })
      """;

  /** Makes delayed messages due at once. */
  public Sql hurryDelayed(Collection<Long> numbers, ActBy by) {
    return ofNumbers(HURRY_DELAYED, numbers, by.decision().by());
  }

  // ---- messages that failed and are tried again

  /** Parameters: message ids. */
  private static final String HEADS_OF =
      """
      SELECT partition_no, message_id
      FROM outbox_parked:by_message
      WHERE message_id IN ({?|, }) AND head = TRUE
      """;

  /** Reads partition and message id of retrying messages. */
  public Sql headsOf(Collection<UUID> ids) {
    return ofIds(HEADS_OF, ids);
  }

  /** One that is due already keeps its place among those. Parameters: who, message ids. */
  private static final String HURRY_HEADS =
      """
      UPDATE outbox_parked:by_message
      SET due_at = LEAST(due_at, :now), updated_by = :text
      WHERE message_id IN ({?|, }) AND head = TRUE
      """;

  /** Makes retrying messages due at once. */
  public Sql hurryHeads(Collection<UUID> ids, ActBy by) {
    return ofIds(HURRY_HEADS, ids, by.decision().by());
  }

  // ---- discarded messages

  /** Parameters: message ids. */
  private static final String DISCARDED_OF =
      """
      SELECT partition_no, id, message_id, was, key_hash, blocks_key, next_id
      FROM outbox_discarded:by_message
      WHERE message_id IN ({?|, })
      """;

  /**
   * Reads partition, number, message id, what it was, key hash, whether it blocked its key, and the
   * next one of its key.
   */
  public Sql discardedOf(Collection<UUID> ids) {
    return ofIds(DISCARDED_OF, ids);
  }

  /** Parameters: message ids. */
  private static final String LOCK_DISCARDED =
      """
      SELECT partition_no, id, message_id, was, key_hash, blocks_key, next_id
      FROM outbox_discarded:by_message
      WHERE message_id IN ({?|, })
      ORDER BY discarded_at, id, partition_no
      FOR UPDATE
      """;

  /** Locks discarded messages that are still there, as {@link #discardedOf} reads them. */
  public Sql lockDiscarded(Collection<UUID> ids) {
    return ofIds(LOCK_DISCARDED, ids);
  }

  /** Parameters: message ids, twice. */
  private static final String STILL_BEHIND =
      """
      SELECT p.partition_no, p.id
      FROM outbox_discarded AS d:by_message
        :join outbox_parked AS p:primary ON p.partition_no = d.partition_no AND p.id = d.next_id
      WHERE d.message_id IN ({?|, })
      UNION ALL
      SELECT b.partition_no, b.id
      FROM outbox_discarded AS d:by_message
        :join outbox_dead AS b:primary ON b.partition_no = d.partition_no AND b.id = d.next_id
      WHERE d.message_id IN ({?|, }) AND b.blocks_key = TRUE
      """;

  /**
   * Reads the positions of messages that came next when these were discarded, and that either still
   * wait or block the key themselves.
   */
  public Sql stillBehind(Collection<UUID> ids) {
    List<@Nullable Object> padded = bound(ids);
    List<@Nullable Object> parameters = new ArrayList<>(padded);
    parameters.addAll(padded);
    return new Sql(Repeated.times(in(STILL_BEHIND), padded.size()), parameters);
  }

  /** Parameters: who, message ids, numbers. */
  private static final String RESTORE_DEAD =
      """
      INSERT INTO outbox_dead (
        id, partition_no, key_hash, blocks_key, attempts, reason, dead_since, created_at,
        updated_by, payload,
        :message)
      SELECT
        id, partition_no, key_hash, :blocks, attempts, reason, dead_since, created_at,
        :text, payload,
        :message
      FROM outbox_discarded:by_message
      WHERE message_id IN ({?|, }) AND id IN ({?|, }) AND was = 'dead'
      """;

  /**
   * Copies discarded messages to the dead letters; either all block their keys, or none does.
   *
   * @param numbers their sequences, one for each
   */
  public Sql restoreDead(List<UUID> ids, List<Long> numbers, boolean blocksKey, ActBy by) {
    String text = in(RESTORE_DEAD.replace(":blocks", blocksKey ? "TRUE" : "FALSE"));
    List<@Nullable Object> padded = bound(ids);
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(by.decision().by());
    parameters.addAll(padded);
    parameters.addAll(Repeated.padded(numbers));
    return new Sql(Repeated.times(text, padded.size()), parameters);
  }

  /** Parameters: who, message ids. */
  private static final String RESTORE_DELAYED =
      """
      INSERT INTO outbox_delayed (
        due_at, partition_no, created_at, updated_by, payload,
        :message)
      SELECT
        due_at, partition_no, created_at, :text, payload,
        :message
      FROM outbox_discarded:by_message
      WHERE message_id IN ({?|, }) AND was = 'delayed'
      ORDER BY id
      """;

  /** Copies discarded messages to the delayed ones. */
  public Sql restoreDelayed(Collection<UUID> ids, ActBy by) {
    return ofIds(RESTORE_DELAYED, ids, by.decision().by());
  }

  /** Parameters: message ids. */
  private static final String DELETE_DISCARDED =
      """
      DELETE FROM outbox_discarded:by_message
      WHERE message_id IN ({?|, })
      """;

  public Sql deleteDiscarded(Collection<UUID> ids) {
    return ofIds(DELETE_DISCARDED, ids);
  }

  private @Nullable Object[] decided(ActBy by) {
    UUID operation = by.operation();
    return new @Nullable Object[] {
      by.decision().by(),
      by.decision().reason(),
      operation == null ? null : clock.bound(operation),
      by.decision().by()
    };
  }

  private Sql ofIds(String text, Collection<UUID> ids, @Nullable Object... before) {
    return repeated(text, bound(ids), before);
  }

  private Sql ofNumbers(String text, Collection<Long> numbers, @Nullable Object... before) {
    return repeated(text, Repeated.padded(numbers), before);
  }

  private Sql repeated(String text, List<@Nullable Object> padded, @Nullable Object... before) {
    List<@Nullable Object> parameters = new ArrayList<>(Arrays.asList(before));
    parameters.addAll(padded);
    return new Sql(Repeated.times(in(text), padded.size()), parameters);
  }

  private List<@Nullable Object> bound(Collection<UUID> ids) {
    return Repeated.padded(ids.stream().map(clock::bound).toList());
  }

  private String in(String text) {
    boolean mySql = clock == ClockDialect.MYSQL;
    // where it takes an index by force, a deletion names its table twice
    String deleting = mySql ? text.replaceAll("DELETE FROM (\\w+)", "DELETE $1 FROM $1") : text;
    return names.in(
        clock.in(
            deleting
                .replace(":message", MESSAGE)
                .replace(":text", mySql ? "?" : "CAST(? AS VARCHAR)")
                .replace(":uuid", mySql ? "?" : "CAST(? AS UUID)")
                .replace(":join", mySql ? "STRAIGHT_JOIN" : "JOIN")
                .replace(":by_message", mySql ? " FORCE INDEX (by_message)" : "")
                .replace(":by_key", mySql ? " FORCE INDEX (by_key)" : "")
                .replace(":primary", mySql ? " FORCE INDEX (PRIMARY)" : "")));
  }
}
