package io.angarium.jdbc.internal.dialect;

import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.half.Marker;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Position;
import io.angarium.internal.DurationText;
import io.angarium.jdbc.internal.catalogue.MySqlFamilyTableDialect;
import io.angarium.jdbc.internal.catalogue.TableDialect;
import io.angarium.jdbc.internal.sql.BinaryIds;
import io.angarium.jdbc.internal.sql.JsonRows;
import io.angarium.jdbc.internal.sql.MessageColumn;
import io.angarium.jdbc.internal.sql.ObservedTransaction;
import io.angarium.jdbc.internal.sql.ParkedKey;
import io.angarium.jdbc.internal.sql.Reason;
import io.angarium.jdbc.internal.sql.Repeated;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.Stretch;
import io.angarium.jdbc.internal.sql.StripedKey;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.internal.sql.TransactionWatch;
import io.angarium.jdbc.internal.sql.Versions;
import io.angarium.store.Backlog;
import io.angarium.store.DeadEntry;
import io.angarium.store.ParkedEntry;
import io.angarium.store.SequenceRange;
import io.angarium.store.lease.Lease;
import io.angarium.store.lease.NodeId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.sql.Timestamp;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TimeZone;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongUnaryOperator;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * MySQL and MariaDB: every statement they share, and through a {@link MySqlVariant} what each does
 * in its own way.
 *
 * <p>Reads of the relay are plain reads under READ COMMITTED, which lock nothing. Rows to be locked
 * or changed are named by a JSON table that is joined to the primary key in the order given. So the
 * plan is the same whatever the statistics say. With the statistics of a table that is usually
 * empty it would be a full scan, which waits for open inserts. Only rows named are locked, and
 * always in the same order. {@link #deleteByScan} locks others too, for a moment, but never waits.
 * Times are kept in UTC and never converted by the session's time zone.
 */
public final class MySqlFamily implements DirtyReads {
  /** Longer than a gap and the farthest offset together. */
  private static final long CALM_MILLIS = TimeUnit.DAYS.toMillis(2);

  private static final int INSERT_MAX = 1_000;
  private static final int LOCK_TIMEOUT = 1205;
  private static final int DUPLICATE_COLUMN = 1060;
  private static final int DUPLICATE_INDEX = 1061;
  private static final int DEADLOCK = 1213;
  private static final int TOO_BIG_SELECT = 1104;

  /**
   * Number of partitions of the table. The relay's partitions share them by their number modulo
   * this.
   */
  private static final int TABLE_PARTITIONS = 16;

  /** Among so many sequences of a backlog there is one of each partition of the table. */
  private static final int SEQUENCES_BEHIND = 1_000;

  private final TableNames names;
  private static final Duration CREATE_WAIT = Duration.ofSeconds(60);

  private final MySqlVariant variant;

  MySqlFamily(TableNames names, MySqlVariant variant) {
    this.names = names;
    this.variant = variant;
  }

  @Override
  public TableNames names() {
    return names;
  }

  @Override
  public String database() {
    return variant.database();
  }

  @Override
  public String folder() {
    return variant.folder();
  }

  public MySqlVariant variant() {
    return variant;
  }

  @Override
  public Map<String, String> sessionSettings(SessionRole role) {
    Map<String, String> settings = new LinkedHashMap<>(variant.sessionSettings());
    settings.put("sql_safe_updates", "0"); // statements here name their rows by lists
    settings.put("sql_big_selects", "1");
    if (role == SessionRole.CHECK) {
      settings.put(LOCK_WAIT, "1");
    } else if (setsLockTimeout(role)) {
      // a lost connection goes on waiting for its lock on the server; not for long
      settings.put(LOCK_WAIT, "3");
    }
    return settings;
  }

  private static final String LOCK_WAIT = "innodb_lock_wait_timeout";

  public Sql read(Collection<String> settings) {
    return Sql.of("SELECT @@SESSION." + String.join(", @@SESSION.", settings));
  }

  /** All that a session sets are numbers. */
  public Sql set(Map<String, ? extends @Nullable String> settings) {
    List<@Nullable Object> values = new ArrayList<>();
    settings.values().forEach(value -> values.add(Long.valueOf(Objects.requireNonNull(value))));
    return new Sql("SET SESSION " + String.join(" = ?, ", settings.keySet()) + " = ?", values);
  }

  @Override
  public Map<String, @Nullable String> change(Connection connection, Map<String, String> settings)
      throws SQLException {
    Map<String, @Nullable String> before = new LinkedHashMap<>();
    read(settings.keySet())
        .forEach(
            connection,
            row -> {
              for (String name : settings.keySet()) {
                before.put(name, row.getString(before.size() + 1));
              }
            });
    set(settings).run(connection);
    return before;
  }

  @Override
  public void putBack(Connection connection, Map<String, @Nullable String> before)
      throws SQLException {
    set(before).run(connection);
  }

  private static boolean setsLockTimeout(SessionRole role) {
    return role == SessionRole.WRITE
        || role == SessionRole.WRITE_TOGETHER
        || role == SessionRole.COMPLETE
        || role == SessionRole.CHECK;
  }

  @Override
  public Map<String, Set<String>> ownColumns() {
    return Map.of("", Set.of("payload_bytes"), "_dedup", Set.of("stripe"));
  }

  @Override
  public void lockForCreate(Connection connection) throws SQLException {
    lockForCreate(connection, CREATE_WAIT);
  }

  public static void lockForCreate(Connection connection, Duration wait) throws SQLException {
    List<Integer> locked =
        Sql.of("SELECT GET_LOCK('angarium schema', ?)", wait.toSeconds())
            .query(connection, row -> row.getInt(1));
    if (locked.get(0) != 1) {
      throw new StoreException(
          "Another session has held the lock 'angarium schema' for "
              + DurationText.of(wait)
              + " (expected: another node that creates tables, and ends soon); find it by SELECT"
              + " IS_USED_LOCK('angarium schema')",
          null);
    }
  }

  @Override
  public void unlockAfterCreate(Connection connection) throws SQLException {
    Sql.of("DO RELEASE_LOCK('angarium schema')").run(connection);
  }

  // DDL is no part of a transaction here, and MySQL does not know IF NOT EXISTS for columns
  @Override
  public boolean isAlreadyThere(SQLException e) {
    return e.getErrorCode() == DUPLICATE_COLUMN || e.getErrorCode() == DUPLICATE_INDEX;
  }

  @Override
  public String describeServer(Connection connection) throws SQLException {
    Map<String, String> variables = new HashMap<>();
    try {
      Sql.of(
              """
              SHOW GLOBAL VARIABLES
              WHERE Variable_name IN ('version', 'version_comment', 'wsrep_on', 'wsrep_provider',
                'group_replication_group_name', 'group_replication_single_primary_mode')
              """)
          .forEach(connection, row -> variables.put(row.getString(1), row.getString(2)));
    } catch (SQLException e) {
      if (e.getErrorCode() != TOO_BIG_SELECT) {
        throw e;
      }
      return database(); // serverFaults names the limit
    }
    return describe(variables);
  }

  /** Percona XtraDB Cluster has wsrep_on for sessions only; MariaDB has it always. */
  public static String describe(Map<String, String> variables) {
    String words = variables.get("version") + " " + variables.get("version_comment");
    String provider = variables.getOrDefault("wsrep_provider", "");
    if ("ON".equals(variables.getOrDefault("wsrep_on", "ON"))
        && !provider.isEmpty()
        && !provider.equals("none")) {
      words += " with Galera";
    }
    if ("OFF".equals(variables.get("group_replication_single_primary_mode"))
        && !variables.getOrDefault("group_replication_group_name", "").isEmpty()) {
      words += " with group replication";
    }
    return words;
  }

  @Override
  public TableDialect tables() {
    return new MySqlFamilyTableDialect(names, variant.collation());
  }

  @Override
  public List<String> serverFaults(Connection connection) throws SQLException {
    List<String> faults = new ArrayList<>();
    LIMITS.forEach(connection, row -> addLimitFaults(faults, row));
    if (!faults.isEmpty()) {
      return faults; // other questions may be cut off or refused
    }
    String version = Sql.of("SELECT VERSION()").query(connection, row -> row.getString(1)).get(0);
    if (!Versions.atLeast(version, variant.versionMin())) {
      faults.add(
          database() + ": " + version + " (expected: " + variant.versionMin() + " or newer)");
    }
    List<String> logged =
        Sql.of(
                """
                SHOW VARIABLES
                WHERE (Variable_name = 'log_bin' AND Value = 'ON')
                  OR (Variable_name = 'binlog_format' AND Value = 'STATEMENT')
                """)
            .query(connection, row -> row.getString(1));
    if (logged.size() == 2) {
      faults.add(
          "binlog_format: STATEMENT (expected: ROW or MIXED, as the relay works under READ"
              + " COMMITTED); change it in the server's configuration");
    }
    CHARACTER_SETS.forEach(connection, row -> addCharacterSetFault(faults, row));
    return faults;
  }

  private static final long SELECT_LIMIT_MIN = 10_000;
  private static final long JOIN_SIZE_MIN = 100_000;

  /** What a session refuses or cuts off; without UNION, which Druid's wall refuses here. */
  private static final Sql LIMITS =
      Sql.of(
          """
          SELECT @@SESSION.sql_select_limit, @@SESSION.max_join_size, @@SESSION.sql_big_selects
          """);

  private static void addLimitFaults(List<String> faults, ResultSet row) throws SQLException {
    addLimitFault(faults, "sql_select_limit", row.getString(1), SELECT_LIMIT_MIN);
    if (!row.getBoolean(3)) {
      addLimitFault(faults, "max_join_size", row.getString(2), JOIN_SIZE_MIN);
    }
  }

  private static void addLimitFault(List<String> faults, String name, String limit, long least) {
    if (Long.compareUnsigned(Long.parseUnsignedLong(limit), least) < 0) {
      faults.add(
          "%s: %s (expected: at least %d, or rows are left out or refused); take it out of sessionVariables in the URL, the pool's first statement, or the server's configuration"
              .formatted(name, limit, least));
    }
  }

  /** That of results is null if the server leaves them as they are. */
  private static final Sql CHARACTER_SETS =
      Sql.of(
          """
          SELECT 'character_set_client', @@character_set_client
          UNION ALL
          SELECT 'character_set_connection', @@character_set_connection
          UNION ALL
          SELECT 'character_set_results', COALESCE(@@character_set_results, 'utf8mb4')
          """);

  private static void addCharacterSetFault(List<String> faults, ResultSet row) throws SQLException {
    String set = row.getString(2);
    if (!"utf8mb4".equals(set)) {
      faults.add(
          row.getString(1)
              + ": "
              + set
              + " (expected: utf8mb4, or texts and keys are changed on their way); take"
              + " characterEncoding, connectionCollation, collation_connection and SET NAMES out of"
              + " the URL and the pool, or set them to UTF-8 and utf8mb4");
    }
  }

  @Override
  public UUID uuid(ResultSet row, int column) throws SQLException {
    return BinaryIds.uuid(row.getBytes(column));
  }

  @Override
  public Instant instant(ResultSet row, int column) throws SQLException {
    return time(row, column).toInstant(ZoneOffset.UTC);
  }

  /**
   * A time as it is stored. MariaDB's driver moves times that do not exist in the zone of the JVM,
   * whatever the type. Given a calendar it does not, but that takes 500 bytes a row.
   */
  static LocalDateTime time(ResultSet row, int column) throws SQLException {
    LocalDateTime read = Objects.requireNonNull(row.getObject(column, LocalDateTime.class));
    if (isCalm(read) || !followsGap(read, ZoneId.systemDefault().getRules())) {
      return read;
    }
    Calendar utc = Calendar.getInstance(TimeZone.getTimeZone(ZoneOffset.UTC), Locale.ROOT);
    Timestamp time = Objects.requireNonNull(row.getTimestamp(column, utc));
    return LocalDateTime.ofInstant(time.toInstant(), ZoneOffset.UTC);
  }

  /**
   * Whether the zone of the JVM has the same offset two days before and after a time. Costs less
   * than to look for its last gap.
   */
  private static boolean isCalm(LocalDateTime time) {
    TimeZone zone = TimeZone.getDefault();
    long millis = TimeUnit.SECONDS.toMillis(time.toEpochSecond(ZoneOffset.UTC));
    return zone.getOffset(millis - CALM_MILLIS) == zone.getOffset(millis + CALM_MILLIS);
  }

  /** Whether a time is so short after a gap of a zone that it may have been moved out of it. */
  private static boolean followsGap(LocalDateTime time, ZoneRules zone) {
    Instant after = time.toInstant(zone.getOffset(time)).plusNanos(1);
    ZoneOffsetTransition last = zone.previousTransition(after);
    return last != null
        && last.isGap()
        && time.isBefore(last.getDateTimeAfter().plus(last.getDuration()));
  }

  // ---- written by producers

  @Override
  public int insertMax() {
    return INSERT_MAX;
  }

  /** What of a message goes into a column: its id as bytes. */
  public static @Nullable Object value(MessageColumn column, NewMessage message) {
    return column == MessageColumn.MESSAGE_ID
        ? BinaryIds.bytes(message.id().value())
        : column.of(message);
  }

  @Override
  public List<Inserted> insert(Connection connection, List<NewMessage> messages)
      throws SQLException {
    return variant.insert(connection, messages);
  }

  @Override
  public int insertKeyed(Connection connection, List<NewMessage> messages) throws SQLException {
    return variant.insertKeyed(connection, messages);
  }

  /** Parameters: due time and one per column, for each row. */
  private static final String INSERT_DELAYED =
      """
      INSERT INTO outbox_delayed (
        created_at, due_at, partition_no, message_id, destination, message_key, message_type,
        headers, business_type, business_key, created_by, payload)
      VALUES {(UTC_TIMESTAMP(6), ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)|,
        }
      """;

  @Override
  public Sql insertDelayed(List<NewMessage> messages) {
    List<@Nullable Object> parameters = new ArrayList<>(messages.size() * 11);
    for (NewMessage message : messages) {
      parameters.add(LocalDateTime.ofInstant(MessageColumn.dueAt(message), ZoneOffset.UTC));
      MessageColumn.ALL.forEach(column -> parameters.add(value(column, message)));
    }
    return new Sql(Repeated.times(names.in(INSERT_DELAYED), messages.size()), parameters);
  }

  /**
   * Reads what is stored now, whatever the transaction has seen before. A missing key leaves a lock
   * on its gap. Parameter: rows of stripe, type, key, in the order in which they are locked.
   */
  private static final String LOCK_BUSINESS_KEYS =
      """
      SELECT v.n
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          n FOR ORDINALITY,
          stripe SMALLINT PATH '$[0]',
          business_type VARCHAR(128) CHARACTER SET utf8mb4 PATH '$[1]',
          business_key VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[2]')) AS v
        STRAIGHT_JOIN outbox_dedup AS d FORCE INDEX (PRIMARY)
          ON d.stripe = v.stripe AND d.business_type = v.business_type
            AND d.business_key = v.business_key
      """;

  /** Positions in the list of the rows that are stored, from 1; locks all of the list. */
  public Sql lockBusinessKeys(List<StripedKey> rows) {
    return Sql.of(
        names.in(LOCK_BUSINESS_KEYS + variant.forUpdate("d") + "\n"),
        JsonRows.of(rows, row -> new Object[] {row.stripe(), row.type(), row.key()}));
  }

  /** Guards never grow old. Parameter: rows of stripe, type, key, message id. */
  private static final String ADD_BUSINESS_KEYS =
      """
      INSERT INTO outbox_dedup (stripe, business_type, business_key, message_id, created_at)
      SELECT
        v.stripe, v.business_type, v.business_key, UNHEX(v.message_id),
        IF(v.business_key = '', '9999-12-31', UTC_TIMESTAMP(6))
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          stripe SMALLINT PATH '$[0]',
          business_type VARCHAR(128) CHARACTER SET utf8mb4 PATH '$[1]',
          business_key VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[2]',
          message_id CHAR(32) PATH '$[3]')) AS v
      """;

  public Sql addBusinessKeys(List<StripedKey> rows) {
    return Sql.of(names.in(ADD_BUSINESS_KEYS), JsonRows.of(rows, MySqlFamily::columns));
  }

  // A guard is missing only if somebody emptied the table, and comes back then.
  @Override
  public Set<UUID> claimBusinessKeys(Connection connection, List<NewMessage> messages)
      throws SQLException {
    List<StripedKey> rows = StripedKey.guarded(messages);
    Set<Integer> stored =
        new HashSet<>(lockBusinessKeys(rows).query(connection, row -> row.getInt(1)));
    List<StripedKey> missing = new ArrayList<>();
    for (int i = 0; i < rows.size(); i++) {
      if (!stored.contains(i + 1)) {
        missing.add(rows.get(i));
      }
    }
    if (!missing.isEmpty()) {
      addBusinessKeys(missing).update(connection);
    }
    return missing.stream()
        .filter(row -> !row.isGuard())
        .map(StripedKey::messageId)
        .collect(Collectors.toSet());
  }

  /** Unless claimed by another message since. Parameter: rows of stripe, type, key, message id. */
  private static final String DELETE_BUSINESS_KEYS =
      """
      DELETE outbox_dedup
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          stripe SMALLINT PATH '$[0]',
          business_type VARCHAR(128) CHARACTER SET utf8mb4 PATH '$[1]',
          business_key VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[2]',
          message_id CHAR(32) PATH '$[3]')) AS v
        STRAIGHT_JOIN outbox_dedup FORCE INDEX (PRIMARY)
          ON outbox_dedup.stripe = v.stripe AND outbox_dedup.business_type = v.business_type
            AND outbox_dedup.business_key = v.business_key
      WHERE outbox_dedup.message_id = UNHEX(v.message_id)
      """;

  @Override
  public Sql releaseBusinessKeys(List<NewMessage> messages) {
    return deleteBusinessKeys(messages.stream().map(StripedKey::of).toList());
  }

  private Sql deleteBusinessKeys(List<StripedKey> rows) {
    return Sql.of(names.in(DELETE_BUSINESS_KEYS), JsonRows.of(rows, MySqlFamily::columns));
  }

  private static @Nullable Object[] columns(StripedKey row) {
    return new Object[] {row.stripe(), row.type(), row.key(), BinaryIds.hex(row.messageId())};
  }

  // ---- read by the relay

  @Override
  public boolean loadsWhatItNames() {
    return true;
  }

  /**
   * Parameters: most bytes of a payload, partition, exclusive lower end, inclusive upper end,
   * limit, for each span.
   */
  private static final String READ =
      """
      {(SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN payload_bytes <= ? THEN payload END AS payload,
        business_type, business_key, created_by, 0 AS attempts, created_at, payload_bytes
      FROM outbox FORCE INDEX (PRIMARY)
      WHERE partition_no = ? AND id > ? AND id <= ?
      ORDER BY id
      LIMIT ?)|
      UNION ALL
      }
      """;

  /**
   * Reads rows without payloads, because InnoDB loads the pages of a payload that a statement
   * names, whether the statement returns it or not. Parameters: partition, exclusive lower end,
   * inclusive upper end, limit, for each span.
   */
  private static final String READ_SIZES =
      """
      {(SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        NULL AS payload,
        business_type, business_key, created_by, 0 AS attempts, created_at, payload_bytes
      FROM outbox FORCE INDEX (PRIMARY)
      WHERE partition_no = ? AND id > ? AND id <= ?
      ORDER BY id
      LIMIT ?)|
      UNION ALL
      }
      """;

  @Override
  public Sql read(List<SequenceRange> spans, int limitPerSpan, int inline) {
    boolean sizes = inline == NO_PAYLOADS;
    List<@Nullable Object> parameters = new ArrayList<>(spans.size() * 5);
    for (SequenceRange span : spans) {
      if (!sizes) {
        parameters.add(inline);
      }
      parameters.addAll(List.of(span.partition(), span.after(), span.upTo(), limitPerSpan));
    }
    return new Sql(Repeated.times(names.in(sizes ? READ_SIZES : READ), spans.size()), parameters);
  }

  /**
   * One scan for all partitions: the relay's partitions share the partitions of the table.
   * Parameters: most bytes of a payload, partitions, exclusive lower end, inclusive upper end.
   */
  private static final String READ_STRETCH =
      """
      SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN payload_bytes <= ? THEN payload END AS payload,
        business_type, business_key, created_by, 0 AS attempts, created_at, payload_bytes
      FROM outbox FORCE INDEX (PRIMARY)
      WHERE partition_no IN ({?|, }) AND id > ? AND id <= ?
      """;

  /** Parameters: partitions, exclusive lower end, inclusive upper end. */
  private static final String READ_STRETCH_SIZES =
      """
      SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        NULL AS payload,
        business_type, business_key, created_by, 0 AS attempts, created_at, payload_bytes
      FROM outbox FORCE INDEX (PRIMARY)
      WHERE partition_no IN ({?|, }) AND id > ? AND id <= ?
      """;

  @Override
  public Sql readStretch(Collection<Integer> partitions, long after, long upTo, int inline) {
    boolean sizes = inline == NO_PAYLOADS;
    List<@Nullable Object> padded = Repeated.padded(partitions);
    List<@Nullable Object> parameters = new ArrayList<>();
    if (!sizes) {
      parameters.add(inline);
    }
    parameters.addAll(padded);
    parameters.addAll(List.of(after, upTo));
    String text = names.in(sizes ? READ_STRETCH_SIZES : READ_STRETCH);
    return new Sql(Repeated.times(text, padded.size()), parameters);
  }

  /**
   * One scan, as before, but in the order of the ids. Parameters: partitions, exclusive lower end,
   * inclusive upper end, limit.
   */
  private static final String POSITIONS =
      """
      SELECT partition_no, id
      FROM outbox FORCE INDEX (PRIMARY)
      WHERE partition_no IN ({?|, }) AND id > ? AND id <= ?
      ORDER BY id
      LIMIT ?
      """;

  @Override
  public Sql positions(Stretch stretch, int limit) {
    List<@Nullable Object> partitions = Repeated.padded(stretch.partitions());
    List<@Nullable Object> parameters = new ArrayList<>(partitions);
    parameters.addAll(List.of(stretch.after(), stretch.upTo(), limit));
    return new Sql(Repeated.times(names.in(POSITIONS), partitions.size()), parameters);
  }

  /** Parameters: most bytes of a payload, rows of sequence and partition. */
  private static final String READ_AT =
      """
      SELECT
        o.partition_no, o.id, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        CASE WHEN o.payload_bytes <= ? THEN o.payload END AS payload,
        o.business_type, o.business_key, o.created_by, 0 AS attempts, o.created_at,
        o.payload_bytes
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox AS o FORCE INDEX (PRIMARY)
          ON o.id = v.id AND o.partition_no = v.partition_no
      """;

  @Override
  public Sql readAt(List<Position> positions, int inline) {
    return bounded(inline, atPositions(READ_AT, positions));
  }

  /**
   * Null while the table is altered: MariaDB does not open it for a session that uses other tables.
   * Parameters: schema or null, name of the table.
   */
  private static final String LAST_SEQUENCE =
      """
      SELECT CASE WHEN ENGINE IS NOT NULL THEN COALESCE(AUTO_INCREMENT, 1) - 1 END
      FROM INFORMATION_SCHEMA.TABLES
      WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ?
      """;

  /** For people, so without a parameter. */
  private static final String RAISE_SEQUENCE =
      """
      ALTER TABLE outbox AUTO_INCREMENT = :next
      """;

  @Override
  public Sql raiseSequence(long next) {
    return Sql.of(names.in(RAISE_SEQUENCE).replace(":next", Long.toString(next)));
  }

  @Override
  public Sql lastSequence() {
    return Sql.of(LAST_SEQUENCE, names.schema(), names.prefix());
  }

  /** Parameters: exclusive lower end, inclusive upper end, limit. */
  private static final String IDS =
      """
      SELECT id
      FROM outbox FORCE INDEX (PRIMARY)
      WHERE id > ? AND id <= ?
      ORDER BY id
      LIMIT ?
      """;

  @Override
  public Sql ids(long after, long upTo, int limit) {
    return Sql.of(names.in(IDS), after, upTo, limit);
  }

  /**
   * Reads the highest id. With {@code MAX(id)}, the server would search for it from the end on,
   * past every deleted row that is still in the index, and below the lower end, too. Where several
   * masters share the numbers, each leaves some out. Parameters: upper end, numbers below it, upper
   * end.
   */
  private static final String HIGHEST_ID =
      """
      SELECT MAX(id + 0)
      FROM outbox FORCE INDEX (PRIMARY)
      WHERE id > ? - ? * CAST(@@auto_increment_increment AS SIGNED) AND id <= ?
      """;

  @Override
  public Sql highestId(long told) {
    return Sql.of(names.in(HIGHEST_ID), told, AHEAD_MAX, told);
  }

  /** Parameters: partitions, twice. */
  private static final String BLOCKED_KEYS =
      """
      SELECT partition_no, key_hash
      FROM outbox_parked FORCE INDEX (by_key)
      WHERE partition_no IN ({?|, }) AND key_hash <> 0
      UNION
      SELECT partition_no, key_hash
      FROM outbox_dead FORCE INDEX (by_key)
      WHERE partition_no IN ({?|, }) AND blocks_key
      """;

  @Override
  public Sql blockedKeys(Collection<Integer> partitions) {
    List<@Nullable Object> padded = Repeated.padded(partitions);
    List<@Nullable Object> parameters = new ArrayList<>(padded);
    parameters.addAll(padded);
    return new Sql(Repeated.times(names.in(BLOCKED_KEYS), padded.size()), parameters);
  }

  /** Parameters: most bytes of a payload, partitions, excepted destinations, limit. */
  private static final String DUE_HEADS =
      """
      SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN OCTET_LENGTH(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, attempts, created_at,
        OCTET_LENGTH(payload) AS payload_bytes
      FROM outbox_parked FORCE INDEX (by_due)
      WHERE head = TRUE
        AND due_at <= UTC_TIMESTAMP(6)
        AND partition_no IN ({?|, })
        AND NOT JSON_CONTAINS(?, JSON_QUOTE(destination))
      ORDER BY due_at
      LIMIT ?
      """;

  @Override
  public Sql dueHeads(
      Collection<Integer> partitions, Collection<String> except, int limit, int inline) {
    List<@Nullable Object> padded = Repeated.padded(partitions);
    List<@Nullable Object> parameters = new ArrayList<>(List.of(inline));
    parameters.addAll(padded);
    parameters.add(JsonRows.flat(except));
    parameters.add(limit);
    return new Sql(Repeated.times(names.in(DUE_HEADS), padded.size()), parameters);
  }

  /**
   * The head is the first one but for rows that came late. Parameters: most bytes of a payload,
   * partition, key hash, all again, limit, twice.
   */
  private static final String PARKED_OF_KEY =
      """
      (SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN OCTET_LENGTH(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, attempts, created_at,
        OCTET_LENGTH(payload) AS payload_bytes
      FROM outbox_parked FORCE INDEX (by_key)
      WHERE partition_no = ? AND key_hash = ? AND head = TRUE)
      UNION ALL
      (SELECT
        partition_no, id, message_id, destination, message_key, message_type, headers,
        CASE WHEN OCTET_LENGTH(payload) <= ? THEN payload END AS payload,
        business_type, business_key, created_by, attempts, created_at,
        OCTET_LENGTH(payload) AS payload_bytes
      FROM outbox_parked FORCE INDEX (by_key)
      WHERE partition_no = ? AND key_hash = ? AND head = FALSE
      ORDER BY id
      LIMIT ?)
      ORDER BY id
      LIMIT ?
      """;

  @Override
  public Sql parkedOfKey(int partition, long keyHash, int limit, int inline) {
    return Sql.of(
        names.in(PARKED_OF_KEY),
        inline,
        partition,
        keyHash,
        inline,
        partition,
        keyHash,
        limit,
        limit);
  }

  /** Parameters: most bytes of a payload, rows of sequence and partition. */
  private static final String PARKED_AT =
      """
      SELECT
        o.partition_no, o.id, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        CASE WHEN OCTET_LENGTH(o.payload) <= ? THEN o.payload END AS payload,
        o.business_type, o.business_key, o.created_by, o.attempts, o.created_at,
        OCTET_LENGTH(o.payload) AS payload_bytes
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox_parked AS o FORCE INDEX (PRIMARY)
          ON o.id = v.id AND o.partition_no = v.partition_no
      """;

  @Override
  public Sql parkedAt(List<Position> positions, int inline) {
    return bounded(inline, atPositions(PARKED_AT, positions));
  }

  /**
   * What is counted has a column that is in no key: without one MySQL walks the whole index.
   * Parameters: a sequence up to which every row is gone, or 0, and the limit of the count; the
   * limit of each other count, three times; the sequence; schema or null, name of the table; the
   * sequence.
   */
  private static final String BACKLOG =
      """
      SELECT
        (SELECT COUNT(*)
          FROM (
            SELECT created_at
            FROM outbox FORCE INDEX (PRIMARY)
            WHERE id > ?
            ORDER BY id
            LIMIT ?) AS few),
        (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_parked LIMIT ?) AS few)
          + (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_delayed LIMIT ?) AS few),
        (SELECT COUNT(*) FROM (SELECT 1 FROM outbox_dead LIMIT ?) AS few),
        (SELECT COALESCE(MIN(id), 0) FROM outbox FORCE INDEX (PRIMARY) WHERE id > ?),
        (SELECT CASE WHEN ENGINE IS NOT NULL THEN COALESCE(AUTO_INCREMENT, 1) - 1 END
          FROM INFORMATION_SCHEMA.TABLES
          WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ?),
        COALESCE((SELECT TIMESTAMPDIFF(MICROSECOND, created_at, UTC_TIMESTAMP(6)) DIV 1000
          FROM outbox FORCE INDEX (PRIMARY)
          WHERE id > ?
          ORDER BY id
          LIMIT 1), 0),
        (SELECT COUNT(*)
          FROM (
            SELECT 1
            FROM outbox_delayed FORCE INDEX (by_due)
            WHERE due_at < UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
            LIMIT ?) AS few)
      """;

  @Override
  public Sql backlog(int limit) {
    return backlogAbove(0, limit);
  }

  Sql backlogAbove(long gone, int limit) {
    return Sql.of(
        names.in(BACKLOG),
        gone,
        limit,
        limit,
        limit,
        limit,
        gone,
        names.schema(),
        names.prefix(),
        gone,
        micros(Backlog.OVERDUE_AFTER),
        limit);
  }

  @Override
  public BacklogLook backlogLook(TimeSource time) {
    return new MySqlBacklogLook(this, time);
  }

  // ---- written by the relay

  /** Parameter: rows of sequence and partition. */
  private static final String LOCK_ROWS =
      """
      SELECT o.partition_no, o.id, o.message_id
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox AS o FORCE INDEX (PRIMARY)
          ON o.id = v.id AND o.partition_no = v.partition_no
      """;

  @Override
  public Sql lockFreeRows(List<Position> positions) {
    return atPositions(LOCK_ROWS + variant.forUpdate("o") + " SKIP LOCKED\n", positions);
  }

  private Sql lockRows(List<Position> positions) {
    return locking(LOCK_ROWS, positions);
  }

  /** Exact ids only: a range would take unsent rows along. Parameter: rows of id, partition. */
  private static final String DELETE =
      """
      DELETE outbox
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox FORCE INDEX (PRIMARY)
          ON outbox.id = v.id AND outbox.partition_no = v.partition_no
      """;

  /** Parameter: rows of sequence and partition. */
  private static final String COPY_TO_HISTORY =
      """
      INSERT INTO outbox_sent (
        sent_at, attempts, partition_no, id, created_at, message_id, destination, message_key,
        message_type, headers, business_type, business_key, created_by, updated_by, payload)
      SELECT
        UTC_TIMESTAMP(6), 0, o.partition_no, o.id, o.created_at, o.message_id, o.destination,
        o.message_key, o.message_type, o.headers, o.business_type, o.business_key, o.created_by,
        o.updated_by, o.payload
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox AS o FORCE INDEX (PRIMARY)
          ON o.id = v.id AND o.partition_no = v.partition_no
      """;

  @Override
  public List<Sql> delete(List<Position> positions, boolean history) {
    Sql delete = atPositions(DELETE, positions);
    return history
        ? List.of(lockRows(positions), atPositions(COPY_TO_HISTORY, positions), delete)
        : List.of(delete);
  }

  /**
   * The index is named so that statistics of an empty table cannot make it a full scan. Sequence
   * and partition of a row are made one number, so that only those named match, and the optimizer
   * does not look up each sequence in each partition of the table. Parameters: partitions, lowest
   * sequence, exclusive upper end, lowest sequence again, numbers of the rows.
   */
  private static final String DELETE_BY_SCAN =
      """
      DELETE outbox
      FROM outbox FORCE INDEX (PRIMARY)
      WHERE outbox.partition_no IN ({?|, }) AND outbox.id >= ? AND outbox.id < ?
        AND (outbox.id - ?) * 65536 + outbox.partition_no IN (%s)
      """;

  /**
   * In each partition of the table, the server also locks the row behind the last one it takes,
   * which may not be committed yet. So the scan takes only rows with another row of their table
   * partition behind them. That row is one of the given rows, or in all likelihood a decided one.
   *
   * <p>A scan that waited could deadlock. It goes through the partitions of the table side by side
   * and holds the next row in each of them, no matter which transaction it belongs to.
   */
  @Override
  public @Nullable Scan deleteByScan(List<Position> ascending, long decided) {
    if (variant.insteadOfWaiting().isEmpty()) {
      return null;
    }
    long end = scanEnd(ascending, decided);
    Map<Boolean, List<Position>> scanned =
        ascending.stream().collect(Collectors.partitioningBy(p -> p.sequence() < end));
    List<Position> taken = scanned.getOrDefault(true, List.of());
    return 2 * taken.size() < ascending.size()
        ? null
        : new Scan(scan(taken, end), scanned.getOrDefault(false, List.of()));
  }

  /** The sequence that a scan does not take any more. */
  private static long scanEnd(List<Position> ascending, long decided) {
    long behind = ascending.get(ascending.size() - 1).sequence() + 1;
    if (decided - behind >= SEQUENCES_BEHIND) {
      return behind;
    }
    Map<Integer, Long> last = new HashMap<>();
    ascending.forEach(position -> last.put(tablePartition(position), position.sequence()));
    return Collections.min(last.values());
  }

  private Sql scan(List<Position> taken, long end) {
    long first = taken.get(0).sequence();
    List<@Nullable Object> partitions =
        Repeated.padded(taken.stream().map(Position::partition).distinct().toList());
    List<@Nullable Object> rows =
        Repeated.padded(
            taken.stream().map(p -> (p.sequence() - first) * 65_536 + p.partition()).toList());
    List<@Nullable Object> parameters = new ArrayList<>(partitions);
    parameters.addAll(List.of(first, end, first));
    parameters.addAll(rows);
    String marks = String.join(", ", Collections.nCopies(rows.size(), "?"));
    String text = variant.insteadOfWaiting() + names.in(DELETE_BY_SCAN);
    return new Sql(String.format(Repeated.times(text, partitions.size()), marks), parameters);
  }

  private static int tablePartition(Position position) {
    return Math.abs(position.partition() % TABLE_PARTITIONS);
  }

  private Sql locking(String text, List<Position> positions) {
    return atPositions(text + variant.forUpdate("o") + "\n", positions);
  }

  /** Holds the rows. Parameter: rows of partition, node, incarnation, epoch. */
  private static final String FENCE =
      """
      SELECT l.partition_no
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          partition_no SMALLINT PATH '$[0]',
          node VARCHAR(128) CHARACTER SET utf8mb4 PATH '$[1]',
          incarnation CHAR(32) PATH '$[2]',
          epoch BIGINT PATH '$[3]')) AS v
        STRAIGHT_JOIN outbox_lease AS l FORCE INDEX (PRIMARY) ON l.partition_no = v.partition_no
      WHERE l.node = v.node AND l.incarnation = UNHEX(v.incarnation) AND l.epoch = v.epoch
      """;

  @Override
  public Sql fence(Collection<Lease> leases) {
    List<Lease> ascending =
        leases.stream().sorted(Comparator.comparingInt(Lease::partition)).toList();
    return Sql.of(
        names.in(FENCE + variant.forUpdate("l") + "\n"),
        JsonRows.of(
            ascending,
            lease ->
                new Object[] {
                  lease.partition(),
                  lease.node().name(),
                  BinaryIds.hex(lease.node().incarnation()),
                  lease.epoch()
                }));
  }

  /** Parameter: rows of id, partition, key hash, head, pause in microseconds, attempts, error. */
  private static final String COPY_TO_PARKED =
      """
      INSERT INTO outbox_parked (
        partition_no, id, key_hash, head, due_at, attempts, last_error, attempted_at, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload)
      SELECT
        o.partition_no, o.id, v.key_hash, v.head, UTC_TIMESTAMP(6) + INTERVAL v.pause MICROSECOND,
        v.attempts, v.error, CASE WHEN v.head THEN UTC_TIMESTAMP(6) END, o.created_at,
        o.message_id, o.destination, o.message_key, o.message_type, o.headers, o.business_type,
        o.business_key, o.created_by, o.updated_by, o.payload
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]',
          partition_no SMALLINT PATH '$[1]',
          key_hash BIGINT PATH '$[2]',
          head BOOLEAN PATH '$[3]',
          pause BIGINT PATH '$[4]',
          attempts INTEGER PATH '$[5]',
          error VARCHAR(1000) CHARACTER SET utf8mb4 PATH '$[6]')) AS v
        STRAIGHT_JOIN outbox AS o FORCE INDEX (PRIMARY)
          ON o.id = v.id AND o.partition_no = v.partition_no
      """;

  @Override
  public List<Sql> park(List<ParkedEntry> parkings) {
    List<Position> positions = parkings.stream().map(ParkedEntry::position).sorted().toList();
    return List.of(
        lockRows(positions),
        Sql.of(names.in(COPY_TO_PARKED), JsonRows.of(parkings, MySqlFamily::parked)),
        atPositions(DELETE, positions));
  }

  private static @Nullable Object[] parked(ParkedEntry parking) {
    return new @Nullable Object[] {
      parking.position().sequence(),
      parking.position().partition(),
      parking.keyHash(),
      parking.head() ? 1 : 0,
      micros(parking.pause()),
      parking.attempts(),
      Reason.cut(parking.error())
    };
  }

  /** Parameter: rows of sequence and partition. */
  private static final String LOCK_PARKED =
      """
      SELECT o.id
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox_parked AS o FORCE INDEX (PRIMARY)
          ON o.partition_no = v.partition_no AND o.id = v.id
      """;

  /** Parameter: rows of sequence and partition. */
  private static final String DELETE_PARKED =
      """
      DELETE outbox_parked
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox_parked FORCE INDEX (PRIMARY)
          ON outbox_parked.partition_no = v.partition_no AND outbox_parked.id = v.id
      """;

  /** Parameter: rows of sequence and partition. */
  private static final String COPY_PARKED_TO_HISTORY =
      """
      INSERT INTO outbox_sent (
        sent_at, attempts, partition_no, id, created_at, message_id, destination, message_key,
        message_type, headers, business_type, business_key, created_by, updated_by, payload)
      SELECT
        UTC_TIMESTAMP(6), o.attempts, o.partition_no, o.id, o.created_at, o.message_id,
        o.destination, o.message_key, o.message_type, o.headers, o.business_type, o.business_key,
        o.created_by, o.updated_by, o.payload
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]', partition_no SMALLINT PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox_parked AS o FORCE INDEX (PRIMARY)
          ON o.partition_no = v.partition_no AND o.id = v.id
      """;

  @Override
  public List<Sql> deleteParked(List<Position> positions, boolean history) {
    Sql delete = atPositions(DELETE_PARKED, positions);
    return history
        ? List.of(
            locking(LOCK_PARKED, positions), atPositions(COPY_PARKED_TO_HISTORY, positions), delete)
        : List.of(delete);
  }

  /** Parameter: rows of id, partition, pause in microseconds, attempts, error. */
  private static final String RESCHEDULE =
      """
      UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]',
          partition_no SMALLINT PATH '$[1]',
          pause BIGINT PATH '$[2]',
          attempts INTEGER PATH '$[3]',
          error VARCHAR(1000) CHARACTER SET utf8mb4 PATH '$[4]')) AS v
        STRAIGHT_JOIN outbox_parked AS o FORCE INDEX (PRIMARY)
          ON o.partition_no = v.partition_no AND o.id = v.id
      SET o.head = TRUE,
        o.attempts = v.attempts,
        o.due_at = UTC_TIMESTAMP(6) + INTERVAL v.pause MICROSECOND,
        o.last_error = v.error,
        o.attempted_at = UTC_TIMESTAMP(6)
      """;

  @Override
  public List<Sql> reschedule(List<ParkedEntry> failed) {
    return List.of(Sql.of(names.in(RESCHEDULE), JsonRows.of(failed, MySqlFamily::failed)));
  }

  private static @Nullable Object[] failed(ParkedEntry parking) {
    return new @Nullable Object[] {
      parking.position().sequence(),
      parking.position().partition(),
      micros(parking.pause()),
      parking.attempts(),
      Reason.cut(parking.error())
    };
  }

  /** Parameter: rows of partition, key hash, and the id of the row that stays head, or 0. */
  private static final String DEMOTE =
      """
      UPDATE JSON_TABLE(?, '$[*]' COLUMNS (
          partition_no SMALLINT PATH '$[0]',
          key_hash BIGINT PATH '$[1]',
          head BIGINT PATH '$[2]')) AS v
        STRAIGHT_JOIN outbox_parked AS o FORCE INDEX (by_key)
          ON o.partition_no = v.partition_no AND o.key_hash = v.key_hash AND o.head = TRUE
      SET o.head = FALSE
      WHERE o.id <> v.head
      """;

  @Override
  public List<Sql> demote(List<ParkedKey> keys) {
    return List.of(ofKeys(DEMOTE, keys));
  }

  /** Ordered by all of the index, else MySQL sorts. Parameter: rows of partition and key hash. */
  private static final String PROMOTE =
      """
      UPDATE (
          SELECT DISTINCT v.partition_no, (
              SELECT p.id
              FROM outbox_parked AS p FORCE INDEX (by_key)
              WHERE p.partition_no = v.partition_no AND p.key_hash = v.key_hash AND p.head = FALSE
              ORDER BY p.partition_no, p.key_hash, p.head, p.id
              LIMIT 1) AS id
          FROM JSON_TABLE(?, '$[*]' COLUMNS (
              partition_no SMALLINT PATH '$[0]', key_hash BIGINT PATH '$[1]')) AS v
            LEFT JOIN outbox_parked AS h FORCE INDEX (by_key)
              ON h.partition_no = v.partition_no AND h.key_hash = v.key_hash AND h.head = TRUE
            LEFT JOIN outbox_dead AS d FORCE INDEX (by_key)
              ON d.partition_no = v.partition_no AND d.key_hash = v.key_hash AND d.blocks_key = TRUE
          WHERE h.id IS NULL AND d.id IS NULL) AS lowest
        STRAIGHT_JOIN outbox_parked AS o FORCE INDEX (PRIMARY)
          ON o.partition_no = lowest.partition_no AND o.id = lowest.id
      SET o.head = TRUE, o.due_at = UTC_TIMESTAMP(6)
      """;

  @Override
  public List<Sql> promote(List<ParkedKey> keys) {
    return List.of(ofKeys(PROMOTE, keys));
  }

  /** Parameter: rows of partition and key hash. */
  private static final String STILL_PARKED =
      """
      SELECT v.key_hash
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          partition_no SMALLINT PATH '$[0]', key_hash BIGINT PATH '$[1]')) AS v
      WHERE (
          SELECT o.id
          FROM outbox_parked AS o FORCE INDEX (by_key)
          WHERE o.partition_no = v.partition_no AND o.key_hash = v.key_hash
          LIMIT 1) IS NOT NULL
      """;

  @Override
  public Sql stillParked(List<ParkedKey> keys) {
    return ofKeys(STILL_PARKED, keys);
  }

  private Sql ofKeys(String text, List<ParkedKey> keys) {
    return Sql.of(
        names.in(text),
        JsonRows.of(keys, key -> new Object[] {key.partition(), key.keyHash(), key.head()}));
  }

  /** Parameter: rows of id, partition, key hash, whether it blocks its key, attempts, reason. */
  private static final String COPY_TO_DEAD =
      """
      INSERT INTO outbox_dead (
        id, partition_no, key_hash, blocks_key, attempts, reason, dead_since, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload)
      SELECT
        o.id, o.partition_no, v.key_hash, v.blocks_key, v.attempts, v.reason, UTC_TIMESTAMP(6),
        o.created_at, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        o.business_type, o.business_key, o.created_by, o.updated_by, o.payload
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]',
          partition_no SMALLINT PATH '$[1]',
          key_hash BIGINT PATH '$[2]',
          blocks_key BOOLEAN PATH '$[3]',
          attempts INTEGER PATH '$[4]',
          reason VARCHAR(1000) CHARACTER SET utf8mb4 PATH '$[5]')) AS v
        STRAIGHT_JOIN outbox AS o FORCE INDEX (PRIMARY)
          ON o.id = v.id AND o.partition_no = v.partition_no
      """;

  /** Parameter: rows of id, partition, key hash, whether it blocks its key, attempts, reason. */
  private static final String COPY_PARKED_TO_DEAD =
      """
      INSERT INTO outbox_dead (
        id, partition_no, key_hash, blocks_key, attempts, reason, dead_since, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload)
      SELECT
        o.id, o.partition_no, v.key_hash, v.blocks_key, v.attempts, v.reason, UTC_TIMESTAMP(6),
        o.created_at, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        o.business_type, o.business_key, o.created_by, o.updated_by, o.payload
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          id BIGINT PATH '$[0]',
          partition_no SMALLINT PATH '$[1]',
          key_hash BIGINT PATH '$[2]',
          blocks_key BOOLEAN PATH '$[3]',
          attempts INTEGER PATH '$[4]',
          reason VARCHAR(1000) CHARACTER SET utf8mb4 PATH '$[5]')) AS v
        STRAIGHT_JOIN outbox_parked AS o FORCE INDEX (PRIMARY)
          ON o.partition_no = v.partition_no AND o.id = v.id
      """;

  @Override
  public List<Sql> bury(List<DeadEntry> burials) {
    List<Position> positions = burials.stream().map(DeadEntry::position).sorted().toList();
    String rows = JsonRows.of(burials, MySqlFamily::buried);
    return List.of(
        lockRows(positions),
        locking(LOCK_PARKED, positions),
        Sql.of(names.in(COPY_TO_DEAD), rows),
        Sql.of(names.in(COPY_PARKED_TO_DEAD), rows),
        atPositions(DELETE, positions),
        atPositions(DELETE_PARKED, positions));
  }

  private static @Nullable Object[] buried(DeadEntry burial) {
    return new @Nullable Object[] {
      burial.position().sequence(),
      burial.position().partition(),
      burial.keyHash(),
      burial.blocksKey() ? 1 : 0,
      burial.attempts(),
      Reason.cut(burial.reason())
    };
  }

  /** Parameter: partitions. */
  private static final String ANY_DUE =
      """
      SELECT 1
      FROM outbox_delayed FORCE INDEX (by_due)
      WHERE due_at <= UTC_TIMESTAMP(6) AND partition_no IN ({?|, })
      LIMIT 1
      """;

  @Override
  public Sql anyDue(Collection<Integer> partitions) {
    return inPartitions(ANY_DUE, partitions);
  }

  /**
   * Attempts are never negative, but in no key: without such a column MySQL walks the whole index.
   * Parameters: schema or null, name of the table, partitions, microseconds to look ahead,
   * partitions.
   */
  private static final String GLANCE =
      """
      SELECT
        (SELECT CASE WHEN ENGINE IS NOT NULL THEN COALESCE(AUTO_INCREMENT, 1) - 1 END
          FROM INFORMATION_SCHEMA.TABLES
          WHERE TABLE_SCHEMA = COALESCE(?, DATABASE()) AND TABLE_NAME = ?),
        FALSE,
        NULL
      UNION ALL
      (SELECT 0, attempts >= 0, NULL
      FROM outbox_parked FORCE INDEX (by_due)
      WHERE head = TRUE AND due_at <= UTC_TIMESTAMP(6) AND partition_no IN ({?|, })
      LIMIT 1)
      UNION ALL
      (SELECT 0, FALSE, TIMESTAMPDIFF(MICROSECOND, UTC_TIMESTAMP(6), due_at)
      FROM outbox_delayed FORCE INDEX (by_due)
      WHERE due_at <= UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND AND partition_no IN ({?|, })
      ORDER BY due_at
      LIMIT 1)
      """;

  @Override
  public Sql glance(Collection<Integer> partitions, Duration ahead) {
    List<@Nullable Object> padded = Repeated.padded(partitions);
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(names.schema());
    parameters.add(names.prefix());
    parameters.addAll(padded);
    parameters.add(ahead.toNanos() / 1_000);
    parameters.addAll(padded);
    return new Sql(Repeated.times(names.in(GLANCE), padded.size()), parameters);
  }

  @Override
  public GlanceLook glanceLook(TimeSource time, LongUnaryOperator reached) {
    return new MySqlGlanceLook(this, time, reached);
  }

  /**
   * The lowest of an index is known when the statement is planned, which costs less than any search
   * for rows. Parameters: a sequence, microseconds to look ahead.
   */
  private static final String ANYTHING =
      """
      SELECT
        (SELECT MIN(id) FROM outbox WHERE id > ?) IS NOT NULL
        OR COALESCE(
          (SELECT MIN(due_at) FROM outbox_parked WHERE head = TRUE) <= UTC_TIMESTAMP(6), FALSE)
        OR COALESCE(
          (SELECT MIN(due_at) FROM outbox_delayed)
            <= UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, FALSE)
      """;

  /** One row: whether there is a row above a sequence, or anything due in any partition. */
  public Sql anything(long lastSequence, Duration ahead) {
    return Sql.of(names.in(ANYTHING), lastSequence, ahead.toNanos() / 1_000);
  }

  /**
   * Only the owner of a partition moves its rows: nothing to lock. Parameters: partitions, limit.
   */
  private static final String DUE =
      """
      SELECT id, message_id
      FROM outbox_delayed FORCE INDEX (by_due)
      WHERE due_at <= UTC_TIMESTAMP(6) AND partition_no IN ({?|, })
      ORDER BY due_at, id
      LIMIT ?
      """;

  public Sql due(Collection<Integer> partitions, int limit) {
    List<@Nullable Object> parameters = new ArrayList<>(Repeated.padded(partitions));
    int size = parameters.size();
    parameters.add(limit);
    return new Sql(Repeated.times(names.in(DUE), size), parameters);
  }

  /** A message counts as written when it became due. Parameter: rows of ids, in order. */
  private static final String COPY_DUE =
      """
      INSERT INTO outbox (
        created_at, partition_no, message_id, destination, message_key, message_type, headers,
        business_type, business_key, created_by, updated_by, payload)
      SELECT
        GREATEST(o.due_at, o.created_at), o.partition_no, o.message_id, o.destination,
        o.message_key, o.message_type, o.headers, o.business_type, o.business_key, o.created_by,
        o.updated_by, o.payload
      FROM JSON_TABLE(?, '$[*]' COLUMNS (n FOR ORDINALITY, id BIGINT PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_delayed AS o FORCE INDEX (PRIMARY) ON o.id = v.id
      ORDER BY v.n
      """;

  /** Parameter: rows of ids. */
  private static final String DELETE_DUE =
      """
      DELETE outbox_delayed
      FROM JSON_TABLE(?, '$[*]' COLUMNS (id BIGINT PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_delayed FORCE INDEX (PRIMARY) ON outbox_delayed.id = v.id
      """;

  public List<Sql> moveDue(List<Long> ids) {
    String rows = JsonRows.of(ids, id -> new Object[] {id});
    return List.of(Sql.of(names.in(COPY_DUE), rows), Sql.of(names.in(DELETE_DUE), rows));
  }

  @Override
  public List<Position> enqueueDue(Connection connection, Collection<Integer> partitions, int limit)
      throws SQLException {
    Map<Long, UUID> due = new LinkedHashMap<>();
    due(partitions, limit).forEach(connection, row -> due.put(row.getLong(1), uuid(row, 2)));
    if (due.isEmpty()) {
      return List.of();
    }
    List<Sql> move = moveDue(List.copyOf(due.keySet()));
    Set<UUID> ids = Set.copyOf(due.values());
    List<Position> moved = new ArrayList<>(due.size());
    copied(partitions, firstCopied(move.get(0), connection))
        .forEach(
            connection,
            row -> {
              if (ids.contains(uuid(row, 3))) {
                moved.add(new Position(row.getInt(1), row.getLong(2)));
              }
            });
    move.get(1).update(connection);
    return moved;
  }

  private static long firstCopied(Sql copy, Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(copy.text(), Statement.RETURN_GENERATED_KEYS)) {
      copy.bind(statement);
      statement.executeUpdate();
      try (ResultSet keys = statement.getGeneratedKeys()) {
        return keys.next() ? keys.getLong(1) : Long.MAX_VALUE;
      }
    }
  }

  /** The copied rows have ids from the first one on, with ids of other transactions among them. */
  private static final String COPIED =
      """
      SELECT partition_no, id, message_id
      FROM outbox
      WHERE partition_no IN ({?|, }) AND id >= ?
      """;

  /** Rows of the partitions from an id on. */
  public Sql copied(Collection<Integer> partitions, long first) {
    List<@Nullable Object> parameters = new ArrayList<>(Repeated.padded(partitions));
    int size = parameters.size();
    parameters.add(first);
    return new Sql(Repeated.times(names.in(COPIED), size), parameters);
  }

  // ---- dead letters

  /** Parameter: rows of message ids. */
  private static final String DEAD_OF =
      """
      SELECT
        o.partition_no, o.id, o.message_id, o.destination, o.message_key, o.message_type, o.headers,
        o.payload, o.business_type, o.business_key, o.created_by, o.attempts, o.created_at,
        o.reason, o.dead_since, o.blocks_key
      FROM JSON_TABLE(?, '$[*]' COLUMNS (message_id CHAR(32) PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_dead AS o FORCE INDEX (by_message)
          ON o.message_id = UNHEX(v.message_id)
      ORDER BY o.id, o.partition_no
      """;

  @Override
  public Sql deadOf(Collection<UUID> ids) {
    return Sql.of(names.in(DEAD_OF), idRows(ids));
  }

  /** Parameter: rows of message ids. */
  private static final String DEAD_KEYS_OF =
      """
      SELECT o.partition_no, o.key_hash, o.blocks_key, o.message_id
      FROM JSON_TABLE(?, '$[*]' COLUMNS (message_id CHAR(32) PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_dead AS o FORCE INDEX (by_message)
          ON o.message_id = UNHEX(v.message_id)
      """;

  @Override
  public Sql deadKeysOf(Collection<UUID> ids) {
    return Sql.of(names.in(DEAD_KEYS_OF), idRows(ids));
  }

  /** Parameters: who, rows of message ids. */
  private static final String COPY_DEAD_TO_PARKED =
      """
      INSERT INTO outbox_parked (
        partition_no, id, key_hash, head, due_at, attempts, last_error, created_at,
        message_id, destination, message_key, message_type, headers, business_type, business_key,
        created_by, updated_by, payload)
      SELECT
        o.partition_no, o.id, o.key_hash, FALSE, UTC_TIMESTAMP(6), 0, o.reason, o.created_at,
        o.message_id, o.destination, o.message_key, o.message_type, o.headers, o.business_type,
        o.business_key, o.created_by, ?, o.payload
      FROM JSON_TABLE(?, '$[*]' COLUMNS (message_id CHAR(32) PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_dead AS o FORCE INDEX (by_message)
          ON o.message_id = UNHEX(v.message_id)
      WHERE o.blocks_key = TRUE
      """;

  /** Parameter: rows of message ids. */
  private static final String DELETE_BLOCKING =
      """
      DELETE outbox_dead
      FROM JSON_TABLE(?, '$[*]' COLUMNS (message_id CHAR(32) PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_dead FORCE INDEX (by_message)
          ON outbox_dead.message_id = UNHEX(v.message_id)
      WHERE outbox_dead.blocks_key = TRUE
      """;

  @Override
  public List<Sql> requeueBlocking(Collection<UUID> ids, String by) {
    return List.of(
        Sql.of(names.in(COPY_DEAD_TO_PARKED), by, idRows(ids)),
        Sql.of(names.in(DELETE_BLOCKING), idRows(ids)));
  }

  /** Parameters: who, rows of message ids. */
  private static final String COPY_DEAD_TO_OUTBOX =
      """
      INSERT INTO outbox (
        created_at, partition_no, message_id, destination, message_key, message_type, headers,
        business_type, business_key, created_by, updated_by, payload)
      SELECT
        UTC_TIMESTAMP(6), o.partition_no, o.message_id, o.destination, o.message_key,
        o.message_type, o.headers, o.business_type, o.business_key, o.created_by, ?, o.payload
      FROM JSON_TABLE(?, '$[*]' COLUMNS (message_id CHAR(32) PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_dead AS o FORCE INDEX (by_message)
          ON o.message_id = UNHEX(v.message_id)
      WHERE o.blocks_key = FALSE
      ORDER BY o.id
      """;

  /** Parameter: rows of message ids. */
  private static final String DELETE_OTHERS =
      """
      DELETE outbox_dead
      FROM JSON_TABLE(?, '$[*]' COLUMNS (message_id CHAR(32) PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_dead FORCE INDEX (by_message)
          ON outbox_dead.message_id = UNHEX(v.message_id)
      WHERE outbox_dead.blocks_key = FALSE
      """;

  @Override
  public List<Sql> requeueOthers(Collection<UUID> ids, String by) {
    return List.of(
        Sql.of(names.in(COPY_DEAD_TO_OUTBOX), by, idRows(ids)),
        Sql.of(names.in(DELETE_OTHERS), idRows(ids)));
  }

  /** Parameter: rows of message ids. */
  private static final String DISCARD =
      """
      DELETE outbox_dead
      FROM JSON_TABLE(?, '$[*]' COLUMNS (message_id CHAR(32) PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_dead FORCE INDEX (by_message)
          ON outbox_dead.message_id = UNHEX(v.message_id)
      """;

  @Override
  public Sql discard(Collection<UUID> ids) {
    return Sql.of(names.in(DISCARD), idRows(ids));
  }

  // ---- what grows with time

  /** In order of the primary key. Parameters: age in microseconds, limit. */
  private static final String TRIM_SENT =
      """
      DELETE FROM outbox_sent
      WHERE sent_at < UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
      ORDER BY sent_at, id, partition_no
      LIMIT ?
      """;

  @Override
  public Sql trimSent(Duration age, int limit) {
    return Sql.of(names.in(TRIM_SENT), micros(age), limit);
  }

  /** Locks nothing. Parameters: age in microseconds, limit. */
  private static final String OLD_BUSINESS_KEYS =
      """
      SELECT stripe, business_type, business_key, message_id
      FROM outbox_dedup FORCE INDEX (by_time)
      WHERE created_at < UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
      ORDER BY created_at
      LIMIT ?
      """;

  public Sql oldBusinessKeys(Duration age, int limit) {
    return Sql.of(names.in(OLD_BUSINESS_KEYS), micros(age), limit);
  }

  // Deletes in the order in which keys are claimed; in that of time, the two would deadlock.
  @Override
  public int trimDedup(Connection connection, Duration age, int limit) throws SQLException {
    List<StripedKey> old =
        oldBusinessKeys(age, limit)
            .query(
                connection,
                row ->
                    new StripedKey(row.getInt(1), row.getString(2), row.getString(3), uuid(row, 4)))
            .stream()
            .sorted(StripedKey.AS_STORED)
            .toList();
    int deleted = 0;
    for (int start = 0; start < old.size(); start += INSERT_MAX) {
      int end = Math.min(start + INSERT_MAX, old.size());
      deleted += deleteBusinessKeys(old.subList(start, end)).run(connection);
    }
    return deleted;
  }

  // ---- markers of local transactions

  /** IGNORE ignores a duplicate, and has nothing else to ignore. Parameters: type, key, outcome. */
  private static final String INSERT_MARKER =
      """
      INSERT IGNORE INTO outbox_marker (marker_type, marker_key, outcome, created_at)
      VALUES (?, ?, ?, UTC_TIMESTAMP(6))
      """;

  @Override
  public Sql insertMarker(Marker marker, String outcome) {
    return Sql.of(names.in(INSERT_MARKER), marker.type(), marker.key(), outcome);
  }

  // of two that wait for a row of a transaction that rolls back, one is ended as a deadlock
  @Override
  public boolean isLockTimeout(SQLException e) {
    return e.getErrorCode() == LOCK_TIMEOUT || isDeadlock(e);
  }

  @Override
  public boolean isDeadlock(SQLException e) {
    return e.getErrorCode() == DEADLOCK;
  }

  /** Locks nothing. Parameters: age in microseconds, limit. */
  private static final String OLD_MARKERS =
      """
      SELECT marker_type, marker_key
      FROM outbox_marker FORCE INDEX (by_time)
      WHERE created_at < UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
      ORDER BY created_at
      LIMIT ?
      """;

  public Sql oldMarkers(Duration age, int limit) {
    return Sql.of(names.in(OLD_MARKERS), micros(age), limit);
  }

  /** Parameter: rows of type, key. */
  private static final String DELETE_MARKERS =
      """
      DELETE outbox_marker
      FROM JSON_TABLE(?, '$[*]' COLUMNS (
          marker_type VARCHAR(128) CHARACTER SET utf8mb4 PATH '$[0]',
          marker_key VARCHAR(255) CHARACTER SET utf8mb4 PATH '$[1]')) AS v
        STRAIGHT_JOIN outbox_marker FORCE INDEX (PRIMARY)
          ON outbox_marker.marker_type = v.marker_type AND outbox_marker.marker_key = v.marker_key
      """;

  public Sql deleteMarkers(List<Marker> markers) {
    return Sql.of(
        names.in(DELETE_MARKERS),
        JsonRows.of(markers, marker -> new Object[] {marker.type(), marker.key()}));
  }

  @Override
  public int trimMarkers(Connection connection, Duration age, int limit) throws SQLException {
    List<Marker> old =
        oldMarkers(age, limit)
            .query(connection, row -> new Marker(row.getString(1), row.getString(2)));
    int deleted = 0;
    for (int start = 0; start < old.size(); start += INSERT_MAX) {
      int end = Math.min(start + INSERT_MAX, old.size());
      deleted += deleteMarkers(old.subList(start, end)).run(connection);
    }
    return deleted;
  }

  // ---- leases

  /** Parameters: keyed, keyless. */
  private static final String SET_PARTITIONING =
      """
      UPDATE outbox_schema
      SET partitions_keyed = ?, partitions_keyless = ?
      WHERE partitions_keyed IS NULL
      """;

  @Override
  public Sql setPartitioning(int keyed, int keyless) {
    return Sql.of(names.in(SET_PARTITIONING), keyed, keyless);
  }

  private static final String PARTITIONING =
      """
      SELECT partitions_keyed, partitions_keyless
      FROM outbox_schema
      """;

  @Override
  public Sql partitioning() {
    return Sql.of(names.in(PARTITIONING));
  }

  /** Parameters: partitions. */
  private static final String ADD_LEASES =
      """
      INSERT INTO outbox_lease (partition_no, epoch)
      VALUES {(?, ?)|, }
      ON DUPLICATE KEY UPDATE partition_no = VALUES(partition_no)
      """;

  @Override
  public List<Sql> addLeases(Collection<Integer> partitions, long epoch) {
    List<@Nullable Object> rows = new ArrayList<>();
    partitions.stream().sorted().forEach(partition -> rows.addAll(List.of(partition, epoch)));
    return List.of(new Sql(Repeated.times(names.in(ADD_LEASES), partitions.size()), rows));
  }

  /** Parameters: microseconds to live, whether it takes part, incarnation, name. */
  private static final String REFRESH_NODE =
      """
      UPDATE outbox_node FORCE INDEX (PRIMARY)
      SET expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, taking_part = ?
      WHERE incarnation = ? AND node = ?
        AND TIMESTAMPDIFF(MICROSECOND, '1970-01-01', expires_at) >= ?
      """;

  @Override
  public Sql refreshNode(NodeId node, boolean takingPart, Duration ttl, long notBefore) {
    return Sql.of(
        names.in(REFRESH_NODE),
        micros(ttl),
        takingPart,
        BinaryIds.bytes(node.incarnation()),
        node.name(),
        notBefore);
  }

  /** Parameter: incarnation. */
  private static final String EXPIRES_AT =
      """
      SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01', expires_at)
      FROM outbox_node
      WHERE incarnation = ?
      """;

  @Override
  public Sql expiresAt(UUID incarnation) {
    return Sql.of(names.in(EXPIRES_AT), BinaryIds.bytes(incarnation));
  }

  /** The option that a server starts with, and the mode that is switched on while it runs. */
  private static final Set<Integer> READ_ONLY_ERRORS = Set.of(1290, 1836);

  @Override
  public boolean isReadOnly(SQLException e) {
    return READ_ONLY_ERRORS.contains(e.getErrorCode()) || READ_ONLY.equals(e.getSQLState());
  }

  @Override
  public Sql server() {
    return Sql.of(variant.server());
  }

  @Override
  public Sql sourceAndServer() {
    String source = Matcher.quoteReplacement(source().text().strip());
    return Sql.of(variant.server().replaceFirst("SELECT", source + ","));
  }

  /** Parameters: name, incarnation. */
  private static final String RETIRE_NAMESAKES =
      """
      UPDATE outbox_node FORCE INDEX (by_name)
      SET node = NULL, taking_part = FALSE
      WHERE node = ? AND incarnation <> ? AND expires_at <= UTC_TIMESTAMP(6)
      """;

  /**
   * An update reads the leases without locking them, a delete would lock them after the nodes: the
   * other way round than those who take partitions.
   */
  private static final String MARK_FORGOTTEN =
      """
      UPDATE outbox_node AS n
      SET n.node = NULL, n.taking_part = FALSE, n.expires_at = '1971-01-01'
      WHERE n.expires_at < UTC_TIMESTAMP(6) - INTERVAL 1 DAY
        AND NOT EXISTS (SELECT 1 FROM outbox_lease AS l WHERE l.incarnation = n.incarnation)
      """;

  /** Parameter: incarnation. */
  private static final String FORGET_RETIRED =
      """
      DELETE FROM outbox_node
      WHERE (incarnation = ? AND node IS NULL) OR expires_at = '1971-01-01'
      """;

  @Override
  public List<Sql> retireNodes(NodeId node) {
    return List.of(
        Sql.of(names.in(RETIRE_NAMESAKES), node.name(), BinaryIds.bytes(node.incarnation())),
        Sql.of(names.in(MARK_FORGOTTEN)),
        Sql.of(names.in(FORGET_RETIRED), (Object) BinaryIds.bytes(node.incarnation())));
  }

  /** Parameters: incarnation, name, microseconds to live, whether it takes part. */
  private static final String ENTER_NODE =
      """
      INSERT INTO outbox_node (incarnation, node, expires_at, taking_part)
      VALUES (?, ?, UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND, ?)
      """;

  @Override
  public Sql enterNode(NodeId node, boolean takingPart, Duration ttl) {
    return Sql.of(
        names.in(ENTER_NODE),
        BinaryIds.bytes(node.incarnation()),
        node.name(),
        micros(ttl),
        takingPart);
  }

  /** Parameter: microseconds. */
  private static final String MEMBERS =
      """
      SELECT
        NULL, node, incarnation, TIMESTAMPDIFF(MICROSECOND, '1970-01-01', expires_at),
        expires_at > UTC_TIMESTAMP(6), taking_part,
        expires_at > UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
      FROM outbox_node
      WHERE node IS NOT NULL
      UNION ALL
      SELECT partition_no, node, incarnation, epoch, FALSE, FALSE, FALSE
      FROM outbox_lease
      WHERE incarnation IS NOT NULL
      """;

  @Override
  public Sql members(Duration ahead) {
    return Sql.of(names.in(MEMBERS), micros(ahead));
  }

  /** Parameters: microseconds to live, and those that are too many. */
  private static final String CUT_NODES =
      """
      UPDATE outbox_node
      SET expires_at = UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
      WHERE expires_at > UTC_TIMESTAMP(6) + INTERVAL ? MICROSECOND
      """;

  @Override
  public Sql cutNodes(Duration ttl, Duration ahead) {
    return Sql.of(names.in(CUT_NODES), micros(ttl), micros(ahead));
  }

  /** Parameter: source. */
  private static final String PUT_BACK_SOURCE =
      """
      INSERT IGNORE INTO outbox_schema (version, source) VALUES (1, ?)
      """;

  @Override
  public Sql putBackSource(UUID source) {
    return Sql.of(names.in(PUT_BACK_SOURCE), (Object) BinaryIds.bytes(source));
  }

  /** Parameter: rows of partitions. */
  private static final String LOCK_PARTITIONS =
      """
      SELECT l.partition_no
      FROM JSON_TABLE(?, '$[*]' COLUMNS (partition_no SMALLINT PATH '$[0]')) AS v
        STRAIGHT_JOIN outbox_lease AS l FORCE INDEX (PRIMARY) ON l.partition_no = v.partition_no
      """;

  @Override
  public Sql lockPartitions(Collection<Integer> partitions) {
    return Sql.of(
        names.in(LOCK_PARTITIONS + variant.forUpdate("l") + "\n"),
        JsonRows.of(partitions.stream().sorted().toList(), p -> new Object[] {p}));
  }

  /** Parameters: margin in microseconds, partitions. */
  private static final String EXPIRED =
      """
      SELECT n.incarnation
      FROM outbox_node AS n FORCE INDEX (PRIMARY)
      WHERE n.expires_at <= UTC_TIMESTAMP(6) - INTERVAL ? MICROSECOND
        AND n.incarnation IN (
          SELECT l.incarnation FROM outbox_lease AS l WHERE l.partition_no IN ({?|, }))
      ORDER BY n.incarnation
      """;

  @Override
  public List<Sql> lockExpired(Collection<Integer> partitions, Duration margin) {
    return List.of(expired(EXPIRED + variant.forUpdate("n") + "\n", partitions, margin));
  }

  @Override
  public Sql expired(Collection<Integer> partitions, Duration margin) {
    return expired(EXPIRED, partitions, margin);
  }

  private Sql expired(String text, Collection<Integer> partitions, Duration margin) {
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(micros(margin));
    parameters.addAll(Repeated.padded(partitions));
    return new Sql(Repeated.times(names.in(text), parameters.size() - 1), parameters);
  }

  /** Parameters: name, incarnation, partitions, incarnation, rows of expired incarnations. */
  private static final String TAKE =
      """
      UPDATE outbox_lease AS l FORCE INDEX (PRIMARY)
      SET l.node = ?, l.incarnation = ?, l.epoch = l.epoch + 1
      WHERE l.partition_no IN ({?|, })
        AND (l.incarnation IS NULL
          OR l.incarnation = ?
          OR JSON_CONTAINS(?, JSON_QUOTE(LOWER(HEX(l.incarnation))))
          OR NOT EXISTS (SELECT 1 FROM outbox_node AS n WHERE n.incarnation = l.incarnation))
      """;

  @Override
  public Sql take(NodeId node, Collection<Integer> partitions, Collection<UUID> expired) {
    byte[] incarnation = BinaryIds.bytes(node.incarnation());
    List<@Nullable Object> padded = Repeated.padded(partitions);
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(node.name());
    parameters.add(incarnation);
    parameters.addAll(padded);
    parameters.add(incarnation);
    parameters.add(JsonRows.flat(expired.stream().map(BinaryIds::hex).toList()));
    return new Sql(Repeated.times(names.in(TAKE), padded.size()), parameters);
  }

  /** Parameters: incarnation, partitions. */
  private static final String LEASES_OF =
      """
      SELECT partition_no, epoch
      FROM outbox_lease FORCE INDEX (PRIMARY)
      WHERE incarnation = ? AND partition_no IN ({?|, })
      """;

  @Override
  public Sql leasesOf(NodeId node, Collection<Integer> partitions) {
    List<@Nullable Object> parameters = new ArrayList<>();
    parameters.add(BinaryIds.bytes(node.incarnation()));
    parameters.addAll(Repeated.padded(partitions));
    return new Sql(Repeated.times(names.in(LEASES_OF), parameters.size() - 1), parameters);
  }

  /** Parameters: transports, incarnation. */
  private static final String NOTE_TRANSPORTS =
      """
      UPDATE outbox_node
      SET transports = ?
      WHERE incarnation = ?
      """;

  @Override
  public Sql noteTransports(NodeId node, String transports) {
    return Sql.of(names.in(NOTE_TRANSPORTS), transports, BinaryIds.bytes(node.incarnation()));
  }

  private static final String TRANSPORTS =
      """
      SELECT node, incarnation, transports
      FROM outbox_node
      WHERE node IS NOT NULL AND transports IS NOT NULL AND expires_at > UTC_TIMESTAMP(6)
      """;

  @Override
  public Sql transports() {
    return Sql.of(names.in(TRANSPORTS));
  }

  /** Parameters: name, incarnation, partition, node, incarnation, epoch. */
  private static final String HAND_OVER =
      """
      UPDATE outbox_lease
      SET node = ?, incarnation = ?
      WHERE partition_no = ? AND node = ? AND incarnation = ? AND epoch = ?
      """;

  @Override
  public Sql handOver(Lease lease, NodeId to) {
    return Sql.of(
        names.in(HAND_OVER),
        to.name(),
        BinaryIds.bytes(to.incarnation()),
        lease.partition(),
        lease.node().name(),
        BinaryIds.bytes(lease.node().incarnation()),
        lease.epoch());
  }

  /** Parameters: partition, node, incarnation, epoch. */
  private static final String RELEASE =
      """
      UPDATE outbox_lease FORCE INDEX (PRIMARY)
      SET node = NULL, incarnation = NULL
      WHERE partition_no = ? AND node = ? AND incarnation = ? AND epoch = ?
      """;

  @Override
  public List<Sql> release(Collection<Lease> leases) {
    return leases.stream()
        .map(
            lease ->
                Sql.of(
                    names.in(RELEASE),
                    lease.partition(),
                    lease.node().name(),
                    BinaryIds.bytes(lease.node().incarnation()),
                    lease.epoch()))
        .toList();
  }

  /** Goes through the leases in order of partition, as all who lock several. */
  private static final String FREE_ALL =
      """
      UPDATE outbox_lease FORCE INDEX (PRIMARY)
      SET node = NULL, incarnation = NULL
      WHERE incarnation = ?
      """;

  /** Parameter: incarnation. */
  private static final String FORGET_NODE =
      """
      DELETE FROM outbox_node
      WHERE incarnation = ?
      """;

  @Override
  public List<Sql> leave(NodeId node) {
    byte[] incarnation = BinaryIds.bytes(node.incarnation());
    return List.of(
        Sql.of(names.in(FREE_ALL), (Object) incarnation),
        Sql.of(names.in(FORGET_NODE), (Object) incarnation));
  }

  // ---- parameters

  private static Sql bounded(int inline, Sql sql) {
    List<@Nullable Object> parameters = new ArrayList<>(List.of(inline));
    parameters.addAll(sql.parameters());
    return new Sql(sql.text(), parameters);
  }

  private Sql atPositions(String text, List<Position> positions) {
    return Sql.of(
        names.in(text),
        JsonRows.of(
            positions, position -> new Object[] {position.sequence(), position.partition()}));
  }

  private Sql inPartitions(String text, Collection<Integer> partitions) {
    List<@Nullable Object> padded = Repeated.padded(partitions);
    return new Sql(Repeated.times(names.in(text), padded.size()), padded);
  }

  private static String idRows(Collection<UUID> ids) {
    return JsonRows.of(ids, id -> new Object[] {BinaryIds.hex(id)});
  }

  private static long micros(Duration duration) {
    return TimeUnit.MICROSECONDS.convert(duration);
  }

  @Override
  public TransactionWatch watch(Connection connection, boolean open) {
    return new ObservedTransaction(
        connection,
        open,
        (c, failure) -> !isOfDriver(failure) && variant.isOver(c),
        MySqlFamily::savepoint);
  }

  /** What a lost connection, and a transaction lost with it, begins with. */
  private static final Set<String> LOST = Set.of("08", "25", "40");

  /**
   * An error that the driver made up itself, such as for an unknown column of a result. Nothing
   * need be asked then, and nothing can be while the driver streams a result.
   */
  private static boolean isOfDriver(SQLException e) {
    String state = e.getSQLState();
    return e.getErrorCode() <= 0 && state != null && LOST.stream().noneMatch(state::startsWith);
  }

  /** A savepoint, which goes with its transaction. */
  public static TransactionWatch savepoint(Connection connection) throws SQLException {
    Savepoint begun = connection.setSavepoint();
    return () -> release(connection, begun);
  }

  private static final String RELEASE_SAVEPOINT = "RELEASE SAVEPOINT `%s`";

  /**
   * Fails if a savepoint has gone with its transaction. As text where the driver tells its name, as
   * Connector/J does: before 8.2 it released one without asking the server (bug 35811592).
   */
  public static void release(Connection connection, Savepoint savepoint) throws SQLException {
    String name;
    try {
      name = savepoint.getSavepointName();
    } catch (SQLException e) { // it has none
      connection.releaseSavepoint(savepoint);
      return;
    }
    try (Statement statement = connection.createStatement()) { // it cannot be prepared everywhere
      statement.execute(RELEASE_SAVEPOINT.formatted(name));
    }
  }
}
