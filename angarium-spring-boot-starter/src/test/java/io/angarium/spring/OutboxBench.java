package io.angarium.spring;

import io.angarium.MessageLimits;
import io.angarium.TimeSource;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Partitioning;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcMarkers;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicReference;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.transaction.support.TransactionTemplate;

/** A Spring outbox on an H2 database of its own, whose inserts and hand-overs can be looked at. */
final class OutboxBench {
  static final Duration GENEROUS = Duration.ofSeconds(60);

  private final List<String> handedOver = new ArrayList<>();
  private final AtomicReference<@Nullable SQLException> failure = new AtomicReference<>();
  private final DataSource dataSource = new Watched(newDatabase());
  private final JdbcDatabase database =
      JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
  private final DataSourceTransactionManager manager = new DataSourceTransactionManager(dataSource);
  private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
  private int inserts;

  OutboxBench() {
    jdbc.execute("CREATE TABLE business (name VARCHAR(200))");
    manager.addListener(new OutboxTransactions());
  }

  static DataSource newDatabase() {
    return JdbcConnectionPool.create(
        "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
  }

  DataSource dataSource() {
    return dataSource;
  }

  DataSourceTransactionManager manager() {
    return manager;
  }

  JdbcMarkers markers() {
    return database.markers();
  }

  TransactionTemplate transactions() {
    return new TransactionTemplate(manager);
  }

  SpringOutbox outbox() {
    return outbox(dataSource);
  }

  SpringOutbox outbox(DataSource source) {
    MessageIntake intake =
        new MessageIntake(
            MessageLimits.DEFAULTS,
            Partitioning.DEFAULTS,
            "test",
            List.of(),
            TimeSource.SYSTEM,
            () -> ThreadLocalRandom.current().nextLong());
    return new SpringOutbox(source, intake, database.writer(), new Recorded());
  }

  void failNextInsert(String reason) {
    failure.set(new SQLException(reason));
  }

  void business(String name) {
    jdbc.update("INSERT INTO business VALUES (?)", name);
  }

  List<String> businessRows() {
    return jdbc.queryForList("SELECT name FROM business", String.class);
  }

  List<String> written() {
    return jdbc.queryForList("SELECT destination FROM outbox ORDER BY id", String.class);
  }

  /** Statements that insert into the outbox. */
  int inserts() {
    return inserts;
  }

  List<String> handedOver() {
    return handedOver;
  }

  private final class Recorded implements Handover {
    @Override
    public void committed(CommittedMessages written, Duration sinceWritten) {
      written.keyless().forEach(m -> handedOver.add(m.message().destination().toString()));
      written.keyedPartitions().forEach(partition -> handedOver.add("keyed"));
    }

    @Override
    public int keylessPartition(Partitioning partitioning, long random) {
      return partitioning.ofKeyless(random);
    }
  }

  private final class Watched extends DelegatingDataSource {
    Watched(DataSource target) {
      super(target);
    }

    @Override
    public Connection getConnection() throws SQLException {
      Connection connection = super.getConnection();
      return (Connection)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {Connection.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("prepareStatement")) {
                  watch((String) arguments[0]);
                }
                try {
                  return method.invoke(connection, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }

    private void watch(String sql) throws SQLException {
      if (sql.matches("(?s).*INSERT INTO \\S*outbox\\b.*")) {
        inserts++;
        SQLException planned = failure.getAndSet(null);
        if (planned != null) {
          throw planned;
        }
      }
    }
  }
}
