package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.confirmation.ConfirmationConfig;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What is said and done about the tables when a database is opened. */
final class SchemaTest {
  private static final JdbcConfig VALIDATE = JdbcConfig.DEFAULTS;
  private static final JdbcConfig CREATE = VALIDATE.schemaMode(SchemaMode.CREATE);

  @Nested
  final class OnH2 implements Opening {
    private final DataSource empty = EmptyDatabase.h2InMemory();

    @Override
    public DataSource empty() {
      return empty;
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements Opening {
    private final DataSource empty = EmptyDatabase.postgres();

    @Override
    public DataSource empty() {
      return empty;
    }

    @Test
    void tablesOfAnotherSchemaAreFoundByItsName() {
      EmptyDatabase.execute(empty, "CREATE SCHEMA messages");

      JdbcDatabase.open(empty, CREATE.schema("messages").tables("mail"));

      assertThat(EmptyDatabase.number(empty, "SELECT COUNT(*) FROM messages.mail_parked")).isZero();
      assertThatCode(() -> JdbcDatabase.open(empty, VALIDATE.schema("messages").tables("mail")))
          .doesNotThrowAnyException();
      assertThatThrownBy(() -> JdbcDatabase.open(empty, VALIDATE))
          .isInstanceOf(ConfigurationException.class);
    }
  }

  @Nested
  @OnOneJdk
  @RequiresServer(Server.MARIADB)
  final class OnMariaDb implements OpeningMySql {
    private final DataSource empty = EmptyDatabase.mariaDb();

    @Override
    public DataSource empty() {
      return empty;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresServer(Server.MYSQL)
  final class OnMySql implements OpeningMySql {
    private final DataSource empty = EmptyDatabase.mySql();

    @Override
    public DataSource empty() {
      return empty;
    }
  }

  interface OpeningMySql extends Opening {
    @Test
    default void columnThatOnlyThisDatabaseHasIsExpected() {
      JdbcDatabase.open(empty(), CREATE);
      EmptyDatabase.execute(
          empty(), "ALTER TABLE outbox_dedup CHANGE COLUMN stripe other SMALLINT NOT NULL");

      assertThatThrownBy(() -> JdbcDatabase.open(empty(), VALIDATE))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("table outbox_dedup, column stripe: missing");
    }
  }

  interface Opening {
    DataSource empty();

    @Test
    default void missingTablesAreAllNamedWithWhatToDo() {
      assertThatThrownBy(() -> JdbcDatabase.open(empty(), VALIDATE))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("table outbox: missing")
          .hasMessageContaining("table outbox_parked: missing")
          .hasMessageContaining("table outbox_lease: missing")
          .hasMessageContaining("V1__outbox.sql")
          .hasMessageContaining("table outbox_marker: missing")
          .hasMessageContaining("V2__marker.sql")
          .hasMessageContaining("set schema to create");
    }

    @Test
    default void createdTablesAreValidAndCreatingAgainChangesNothing() {
      JdbcDatabase.open(empty(), CREATE);

      assertThatCode(() -> JdbcDatabase.open(empty(), VALIDATE)).doesNotThrowAnyException();
      assertThatCode(() -> JdbcDatabase.open(empty(), CREATE)).doesNotThrowAnyException();
    }

    @Test
    default void scriptAsShippedRunsByHand() throws SQLException {
      try (Connection connection = empty().getConnection()) {
        String product = connection.getMetaData().getDatabaseProductName();
        Dialect dialect = JdbcDatabase.dialect(product, new TableNames(VALIDATE));
        for (String sql : new Schema(dialect, VALIDATE).scripts().statements()) {
          Sql.of(sql).run(connection);
        }
      }

      assertThatCode(() -> JdbcDatabase.open(empty(), VALIDATE)).doesNotThrowAnyException();
    }

    @Test
    default void twoOutboxesLiveInOneSchema() {
      JdbcDatabase.open(empty(), CREATE);
      JdbcDatabase.open(empty(), CREATE.tables("letters"));

      assertThatCode(() -> JdbcDatabase.open(empty(), VALIDATE)).doesNotThrowAnyException();
      assertThatCode(() -> JdbcDatabase.open(empty(), VALIDATE.tables("letters")))
          .doesNotThrowAnyException();
    }

    @Test
    default void everyFaultIsReportedAtOnce() {
      JdbcDatabase.open(empty(), CREATE);
      EmptyDatabase.execute(
          empty(),
          "DROP TABLE outbox_dedup",
          "ALTER TABLE outbox_parked DROP COLUMN last_error",
          "UPDATE outbox_schema SET version = 0");

      assertThatThrownBy(() -> JdbcDatabase.open(empty(), VALIDATE))
          .isInstanceOfSatisfying(
              ConfigurationException.class, e -> assertThat(e.faults()).hasSize(3))
          .hasMessageContaining("table outbox_dedup: missing")
          .hasMessageContaining("table outbox_parked, column last_error: missing")
          .hasMessageContaining("table outbox_schema: version 0 (expected: 7); run the later");
    }

    @Test
    default void tablesOfTheFirstVersionGetWhatCameLater() {
      JdbcDatabase.open(empty(), CREATE);
      EmptyDatabase.execute(
          empty(),
          "DROP TABLE outbox_marker",
          "DROP TABLE outbox_receipt",
          "UPDATE outbox_schema SET version = 1");

      assertThatThrownBy(() -> JdbcDatabase.open(empty(), VALIDATE))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("table outbox_schema: version 1 (expected: 7); run the later");
      JdbcDatabase.open(empty(), CREATE);
      assertThatCode(() -> JdbcDatabase.open(empty(), VALIDATE)).doesNotThrowAnyException();
    }

    @Test
    default void newerTablesAskForAnUpgrade() {
      JdbcDatabase.open(empty(), CREATE);
      EmptyDatabase.execute(empty(), "UPDATE outbox_schema SET version = 99");

      assertThatThrownBy(() -> JdbcDatabase.open(empty(), CREATE))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("version 99 (expected: 7); a newer Angarium");
    }

    @Test
    default void columnOfAnotherTypeIsAFault() {
      JdbcDatabase.open(empty(), CREATE);
      EmptyDatabase.execute(
          empty(),
          "ALTER TABLE outbox_dead DROP COLUMN attempts",
          "ALTER TABLE outbox_dead ADD COLUMN attempts VARCHAR(20)");

      assertThatThrownBy(() -> JdbcDatabase.open(empty(), VALIDATE))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("table outbox_dead, column attempts: not of a type for NUMBER");
    }

    @Test
    default void nodesThatStartAtOnceCreateTheTablesOnce() throws Exception {
      DataSource patient = PatientDatabase.of(empty());
      ExecutorService nodes = Executors.newFixedThreadPool(6);
      try {
        List<Callable<JdbcDatabase>> starts = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
          starts.add(() -> JdbcDatabase.open(patient, CREATE));
        }

        for (Future<JdbcDatabase> started : nodes.invokeAll(starts)) {
          assertThat(started.get()).isNotNull();
        }
      } finally {
        nodes.shutdownNow();
      }
    }

    @Test
    default void nothingIsCheckedWhenToldSo() {
      assertThatCode(() -> JdbcDatabase.open(empty(), VALIDATE.schemaMode(SchemaMode.NONE)))
          .doesNotThrowAnyException();
    }
  }

  @Test
  void unknownDatabaseIsAnErrorThatListsTheKnownOnes() {
    assertThatThrownBy(() -> JdbcDatabase.dialect("Oracle", new TableNames(VALIDATE)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("Oracle")
        .hasMessageContaining("PostgreSQL")
        .hasMessageContaining("H2");
  }

  @Test
  void versionsAreComparedByNumber() {
    assertThat(Versions.atLeast("10.11.19-MariaDB", "10.6")).isTrue();
    assertThat(Versions.atLeast("10.5.9", "10.6")).isFalse();
    assertThat(Versions.atLeast("2.4.240", "2.4.240")).isTrue();
    assertThat(Versions.atLeast("2.3.232", "2.4.240")).isFalse();
    assertThat(Versions.atLeast("9", "8.0")).isTrue();
  }

  @Test
  void wrongConfigurationListsEveryFault() {
    assertThatThrownBy(
            () ->
                new JdbcConfig(
                    "a;b",
                    "Out box",
                    SchemaMode.NONE,
                    false,
                    ConfirmationConfig.NONE,
                    Duration.ZERO,
                    Duration.ofSeconds(1),
                    Duration.ofSeconds(1)))
        .isInstanceOfSatisfying(
            ConfigurationException.class, e -> assertThat(e.faults()).hasSize(3));
  }
}
