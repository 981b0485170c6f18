package io.angarium.jdbc.internal.desk.stage;

import io.angarium.TimeSource;
import io.angarium.desk.Stage;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.SchemaFeature;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/**
 * Which tables and indexes of the stages are there. What is there stays; for what is not there
 * {@link #ask} looks again after a while. Thread-safe.
 */
public final class InstalledTables {
  private static final long ASK_AGAIN_NANOS = Duration.ofSeconds(10).toNanos();

  /** The first version of the outbox whose dead letters have an index by time. */
  private static final int DEAD_ORDER = 5;

  private static final String NO_TABLE = "42S02";

  private final Predicate<SchemaFeature> features;
  private final Sql outboxVersion;
  private final boolean mySql;
  private final TimeSource time;
  private final Map<SchemaFeature, Answer> answers = new ConcurrentHashMap<>();
  private volatile boolean ordersDead;

  private record Answer(boolean there, long nanos) {}

  public InstalledTables(Dialect server, TimeSource time, Predicate<SchemaFeature> features) {
    this.features = features;
    this.outboxVersion = server.schema().featureVersion(SchemaFeature.OUTBOX.name());
    this.mySql = server.database().equals("MySQL") || server.database().equals("MariaDB");
    this.time = time;
  }

  /** Whether a stage has a table. */
  public boolean has(Stage stage) {
    return switch (stage) {
      case UNCONFIRMED -> has(SchemaFeature.CONFIRMATION);
      case DISCARDED -> has(SchemaFeature.CONSOLE);
      default -> true;
    };
  }

  /** Whether a stage has a table with an index by message id. */
  public boolean findsByMessage(Stage stage) {
    return switch (stage) {
      case DEAD -> true;
      case UNCONFIRMED, DISCARDED -> has(stage);
      case DELAYED, RETRYING, HELD -> has(SchemaFeature.CONSOLE);
      case WAITING, SENT -> false;
    };
  }

  private boolean has(SchemaFeature feature) {
    Answer known = answers.get(feature);
    return known != null && known.there();
  }

  /** Finds out which tables are there, if that is not known. May take a connection. */
  public void ask() {
    ask(SchemaFeature.CONFIRMATION);
    ask(SchemaFeature.CONSOLE);
  }

  private void ask(SchemaFeature feature) {
    Answer known = answers.get(feature);
    long now = time.nanoTime();
    if (known == null || (!known.there() && now - known.nanos() >= ASK_AGAIN_NANOS)) {
      answers.put(feature, new Answer(features.test(feature), now));
    }
  }

  /**
   * Whether dead letters have an index by time that a statement must name. Only MySQL and MariaDB
   * want that, and refuse one that is not there.
   */
  public boolean ordersDead(Connection connection) throws SQLException {
    if (mySql && !ordersDead) {
      ordersDead = outboxVersion(connection) >= DEAD_ORDER;
    }
    return ordersDead;
  }

  private int outboxVersion(Connection connection) throws SQLException {
    try {
      return outboxVersion.query(connection, row -> row.getInt(1)).stream().findFirst().orElse(1);
    } catch (SQLException e) {
      if (NO_TABLE.equals(e.getSQLState())) { // tables of 0.1
        return 1;
      }
      throw e;
    }
  }
}
