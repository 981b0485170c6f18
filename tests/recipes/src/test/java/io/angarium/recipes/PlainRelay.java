package io.angarium.recipes;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcOutbox;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.KafkaTransport;
import io.angarium.relay.Relay;
import io.angarium.testservers.TestDatabase;
import javax.sql.DataSource;

/** An outbox without Spring: a pool, a relay to the shared Kafka, and what sends. Thread-safe. */
public final class PlainRelay implements AutoCloseable {
  private final HikariDataSource pool;
  private final Relay relay;
  private final JdbcOutbox outbox;

  private PlainRelay(HikariDataSource pool, Relay relay, JdbcOutbox outbox) {
    this.pool = pool;
    this.relay = relay;
    this.outbox = outbox;
  }

  /** Creates the tables and starts the relay. */
  public static PlainRelay start(TestDatabase database) {
    HikariConfig settings = new HikariConfig();
    settings.setJdbcUrl(database.url());
    settings.setUsername(database.user());
    settings.setPassword(database.password());
    HikariDataSource pool = new HikariDataSource(settings);
    JdbcDatabase tables =
        JdbcDatabase.open(pool, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    Relay relay =
        Relay.builder(tables.store(), tables.leases())
            .transport(KafkaTransport.open(KafkaConfig.of(Topic.servers())))
            .build();
    relay.start();
    return new PlainRelay(pool, relay, tables.outbox(MessageIntake.of("shop"), relay));
  }

  /** The pool that the relay uses. */
  public DataSource dataSource() {
    return pool;
  }

  /** What sends. */
  public JdbcOutbox outbox() {
    return outbox;
  }

  @Override
  public void close() {
    relay.close();
    pool.close();
  }
}
