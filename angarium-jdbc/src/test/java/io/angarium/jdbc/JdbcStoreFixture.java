package io.angarium.jdbc;

import static java.time.ZoneOffset.UTC;

import io.angarium.TimeSource;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.NewMessage;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.lease.NodeId;
import io.angarium.testkit.tck.StoreFixture;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** The fixture of the store contract on a real database. */
final class JdbcStoreFixture implements StoreFixture {
  static final JdbcConfig CONFIG =
      JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE).settleLag(Duration.ofMillis(10));

  private final DataSource dataSource;
  private final JdbcConfig config;
  private final JdbcDatabase database;
  private final JdbcOutboxStore outbox;
  private final JdbcLeaseStore leases;
  private final List<JdbcLeaseStore> othersLeases = new ArrayList<>();
  private final List<Connection> open = new ArrayList<>();

  JdbcStoreFixture(DataSource dataSource) {
    this(dataSource, CONFIG);
  }

  JdbcStoreFixture(DataSource dataSource, JdbcConfig config) {
    this.dataSource = PatientDatabase.of(dataSource);
    this.config = config;
    this.database = JdbcDatabase.open(this.dataSource, config);
    this.outbox = database.store();
    this.leases = database.leases();
    EmptyDatabase.execute(dataSource, "CREATE TABLE IF NOT EXISTS elsewhere (n INTEGER)");
  }

  /** The database behind it. */
  JdbcDatabase database() {
    return database;
  }

  @Override
  public JdbcOutboxStore outbox() {
    return outbox;
  }

  @Override
  public JdbcOutboxStore anotherOutbox() {
    return database.store();
  }

  @Override
  public JdbcOutboxStore anotherOutbox(TimeSource host) {
    return JdbcDatabase.open(dataSource, config, host).store();
  }

  @Override
  public JdbcLeaseStore anotherLeases(TimeSource host) {
    JdbcLeaseStore others = JdbcDatabase.open(dataSource, config, host).leases();
    othersLeases.add(others);
    return others;
  }

  @Override
  public JdbcLeaseStore leases() {
    return leases;
  }

  @Override
  public OpenTransaction begin() {
    try {
      Connection connection = dataSource.getConnection();
      connection.setAutoCommit(false);
      open.add(connection);
      return new JdbcTransaction(connection, database.writer());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class JdbcTransaction implements OpenTransaction {
    private final Connection connection;
    private final OutboxWriter writer;
    private CommittedMessages written = CommittedMessages.NOTHING;

    JdbcTransaction(Connection connection, OutboxWriter writer) {
      this.connection = connection;
      this.writer = writer;
    }

    private interface Step {
      void run() throws SQLException;
    }

    private static void run(Step step) {
      try {
        step.run();
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public void insert(List<NewMessage> messages) {
      written = writer.write(connection, messages);
    }

    @Override
    public void writeElsewhere() {
      run(() -> Sql.of("INSERT INTO elsewhere VALUES (1)").run(connection));
    }

    @Override
    public void commit() {
      run(connection::commit);
    }

    @Override
    public CommittedMessages written() {
      return written;
    }

    @Override
    public void rollback() {
      run(connection::rollback);
    }

    @Override
    public void close() {
      run(
          () -> {
            if (!connection.isClosed()) {
              connection.rollback();
              connection.close();
            }
          });
    }
  }

  @Override
  public Instant now() {
    try (Connection connection = dataSource.getConnection()) {
      return database.product().startsWith("M") // no type has a time zone there
          ? Sql.of("SELECT UTC_TIMESTAMP(6)")
              .query(connection, row -> row.getObject(1, LocalDateTime.class).toInstant(UTC))
              .get(0)
          : Sql.of("SELECT CURRENT_TIMESTAMP(6)")
              .query(connection, row -> row.getObject(1, OffsetDateTime.class).toInstant())
              .get(0);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void letPass(Duration duration) {
    Instant until = now().plus(duration);
    while (now().isBefore(until)) {
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** It is taken for a backup: it lacks a heartbeat that it is said to have acknowledged. */
  @Override
  public boolean goBack() {
    NodeId node = new NodeId("node-of-later", new UUID(0, 1));
    database.servers().noteHeartbeat(node, Long.MAX_VALUE);
    database.servers().renew();
    return true;
  }

  @Override
  public void close() {
    for (Connection connection : open) {
      try (connection) {
        if (!connection.isClosed()) {
          connection.rollback();
        }
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }
    outbox.close();
    leases.close();
    othersLeases.forEach(JdbcLeaseStore::close);
  }
}
