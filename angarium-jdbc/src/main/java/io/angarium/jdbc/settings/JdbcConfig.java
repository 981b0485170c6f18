package io.angarium.jdbc.settings;

import io.angarium.ConfigFaults;
import io.angarium.confirmation.ConfirmationConfig;
import java.time.Duration;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * How the outbox uses a database. Immutable.
 *
 * @param schema the database schema (on MySQL and MariaDB: the database) that holds the tables,
 *     1..63 letters, digits and underscores, not beginning with a digit; null for the connection's
 *     own
 * @param tables what the table names begin with, 1..40 lower-case letters, digits and underscores,
 *     beginning with a letter; default {@code outbox}
 * @param schemaMode what is done about the tables when the database is opened; default validate
 * @param history true if sent messages are moved to {@code <tables>_sent} instead of being deleted;
 *     default false
 * @param confirmation which sent messages are kept until their consumers have confirmed them;
 *     default none
 * @param statementTimeout how long a statement of the relay may take before its connection is given
 *     up, 1 s..1 h; default 30 s
 * @param leaseTimeout the same for heartbeats and leases, which must not wait for a dead network
 *     longer than a lease lasts, 500 ms..1 min; default 4 s
 * @param settleLag on databases without readable snapshots: how long a sequence number may take
 *     from being handed out to being written, 10 ms..1 min; default 1 s
 * @param features whose tables are validated or created when the database is opened, besides the
 *     tables of the outbox; tables of other features when {@code JdbcDatabase} is first asked for
 *     them; default none
 * @param acceptedServer an unproved server that is used all the same; null, the default, for none
 * @param acceptedTriggers names of row triggers on PostgreSQL that run before a row is inserted,
 *     changed or deleted and never return null, which would swallow the row; default none
 */
public record JdbcConfig(
    @Nullable String schema,
    String tables,
    SchemaMode schemaMode,
    boolean history,
    ConfirmationConfig confirmation,
    Duration statementTimeout,
    Duration leaseTimeout,
    Duration settleLag,
    Set<SchemaFeature> features,
    @Nullable OtherServer acceptedServer,
    Set<String> acceptedTriggers) {
  /** Tables {@code outbox…} in the connection's schema, validated, no history. */
  public static final JdbcConfig DEFAULTS =
      new JdbcConfig(
          null,
          "outbox",
          SchemaMode.VALIDATE,
          false,
          ConfirmationConfig.NONE,
          Duration.ofSeconds(30),
          Duration.ofSeconds(4),
          Duration.ofSeconds(1),
          Set.of(),
          null,
          Set.of());

  /** Checks the parts. */
  public JdbcConfig {
    features = Set.copyOf(features);
    acceptedTriggers = Set.copyOf(acceptedTriggers);
    new ConfigFaults()
        .require(
            schema == null || schema.matches("[A-Za-z_][A-Za-z0-9_]{0,62}"),
            "jdbc.schema",
            schema,
            "1..63 letters, digits and underscores, not beginning with a digit")
        .require(
            tables.matches("[a-z][a-z0-9_]{0,39}"),
            "jdbc.tables",
            tables,
            "1..40 lower-case letters, digits and underscores, beginning with a letter")
        .range(
            "jdbc.statement-timeout", statementTimeout, Duration.ofSeconds(1), Duration.ofHours(1))
        .range("jdbc.lease-timeout", leaseTimeout, Duration.ofMillis(500), Duration.ofMinutes(1))
        .range("jdbc.settle-lag", settleLag, Duration.ofMillis(10), Duration.ofMinutes(1))
        .require(
            !features.contains(SchemaFeature.INBOX),
            "jdbc.features",
            features,
            "no inbox, which is opened by JdbcInbox and has tables of its own")
        .throwIfAny();
  }

  /** A copy with another schema. */
  public JdbcConfig schema(@Nullable String schema) {
    return new JdbcConfig(
        schema,
        tables,
        schemaMode,
        history,
        confirmation,
        statementTimeout,
        leaseTimeout,
        settleLag,
        features,
        acceptedServer,
        acceptedTriggers);
  }

  /** A copy with another beginning of the table names. */
  public JdbcConfig tables(String tables) {
    return new JdbcConfig(
        schema,
        tables,
        schemaMode,
        history,
        confirmation,
        statementTimeout,
        leaseTimeout,
        settleLag,
        features,
        acceptedServer,
        acceptedTriggers);
  }

  /** A copy with another treatment of the tables at the start. */
  public JdbcConfig schemaMode(SchemaMode schemaMode) {
    return new JdbcConfig(
        schema,
        tables,
        schemaMode,
        history,
        confirmation,
        statementTimeout,
        leaseTimeout,
        settleLag,
        features,
        acceptedServer,
        acceptedTriggers);
  }

  /** A copy that keeps sent messages, or does not. */
  public JdbcConfig history(boolean history) {
    return new JdbcConfig(
        schema,
        tables,
        schemaMode,
        history,
        confirmation,
        statementTimeout,
        leaseTimeout,
        settleLag,
        features,
        acceptedServer,
        acceptedTriggers);
  }

  /** A copy that keeps sent messages until they are confirmed, or does not. */
  public JdbcConfig confirmation(ConfirmationConfig confirmation) {
    return new JdbcConfig(
        schema,
        tables,
        schemaMode,
        history,
        confirmation,
        statementTimeout,
        leaseTimeout,
        settleLag,
        features,
        acceptedServer,
        acceptedTriggers);
  }

  /** A copy with another time limit of the relay's statements. */
  public JdbcConfig statementTimeout(Duration statementTimeout) {
    return new JdbcConfig(
        schema,
        tables,
        schemaMode,
        history,
        confirmation,
        statementTimeout,
        leaseTimeout,
        settleLag,
        features,
        acceptedServer,
        acceptedTriggers);
  }

  /** A copy with another time limit of heartbeats and leases. */
  public JdbcConfig leaseTimeout(Duration leaseTimeout) {
    return new JdbcConfig(
        schema,
        tables,
        schemaMode,
        history,
        confirmation,
        statementTimeout,
        leaseTimeout,
        settleLag,
        features,
        acceptedServer,
        acceptedTriggers);
  }

  /** A copy with another lag before a sequence number counts as written. */
  public JdbcConfig settleLag(Duration settleLag) {
    return new JdbcConfig(
        schema,
        tables,
        schemaMode,
        history,
        confirmation,
        statementTimeout,
        leaseTimeout,
        settleLag,
        features,
        acceptedServer,
        acceptedTriggers);
  }

  /** A copy whose tables of these features are validated or created at once, and no others. */
  public JdbcConfig features(SchemaFeature... features) {
    return new JdbcConfig(
        schema,
        tables,
        schemaMode,
        history,
        confirmation,
        statementTimeout,
        leaseTimeout,
        settleLag,
        Set.of(features),
        acceptedServer,
        acceptedTriggers);
  }

  /** A copy that accepts a server on which nothing was proved. */
  public JdbcConfig acceptedServer(@Nullable OtherServer acceptedServer) {
    return new JdbcConfig(
        schema,
        tables,
        schemaMode,
        history,
        confirmation,
        statementTimeout,
        leaseTimeout,
        settleLag,
        features,
        acceptedServer,
        acceptedTriggers);
  }

  /** A copy that accepts these triggers, and no others, as ones that swallow no row. */
  public JdbcConfig acceptedTriggers(String... acceptedTriggers) {
    return new JdbcConfig(
        schema,
        tables,
        schemaMode,
        history,
        confirmation,
        statementTimeout,
        leaseTimeout,
        settleLag,
        features,
        acceptedServer,
        Set.of(acceptedTriggers));
  }
}
