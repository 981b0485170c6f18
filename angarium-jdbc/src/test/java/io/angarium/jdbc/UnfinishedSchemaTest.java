package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.StoreException;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.mysql.MySqlSchemaSql;
import io.angarium.jdbc.internal.schema.FeatureScripts;
import io.angarium.jdbc.internal.schema.SchemaScripts;
import io.angarium.jdbc.internal.session.Dialects;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Tables that a crash left unfinished, or that a person dropped. */
final class UnfinishedSchemaTest {
  private static final JdbcConfig VALIDATE = JdbcConfig.DEFAULTS;
  private static final JdbcConfig CREATE = VALIDATE.schemaMode(SchemaMode.CREATE);
  private static final InboxConfig CREATE_INBOX =
      InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE);

  @Nested
  final class OnH2 implements Repair {
    private final DataSource empty = EmptyDatabase.h2InMemory();

    @Override
    public DataSource empty() {
      return empty;
    }

    /** H2 reads the columns of every table to find those of one, so each try gets a database. */
    @Override
    public DataSource next() {
      return EmptyDatabase.h2InMemory();
    }

    /** Its indexes are statements of their own. */
    @Test
    void scriptOfAnotherFeatureThatEndedAnywhereIsFinished() throws SQLException {
      SchemaFeature[] features = {
        SchemaFeature.MARKER,
        SchemaFeature.HALF,
        SchemaFeature.CONFIRMATION,
        SchemaFeature.RECONCILIATION,
        SchemaFeature.CONSOLE,
        SchemaFeature.ALERT,
        SchemaFeature.BOARD,
        SchemaFeature.REPORT
      };
      for (SchemaFeature feature : features) {
        String whole = FeatureScripts.title(feature) + "_whole";
        JdbcDatabase.open(empty, CREATE.tables(whole).features(feature));
        int statements = statements(empty, feature).size();
        for (int done = 0; done <= statements; done++) {
          DataSource next = next();
          JdbcDatabase.open(next, CREATE);
          run(next, new TableNames(CREATE), statements(empty, feature).subList(0, done));

          JdbcDatabase.open(next, CREATE.features(feature));

          assertThat(indexes(next, CREATE.tables())).isEqualTo(indexes(empty, whole));
        }
      }
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements Repair {
    private final DataSource empty = EmptyDatabase.postgres();

    @Override
    public DataSource empty() {
      return empty;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb implements RepairMySql {
    private final DataSource empty = EmptyDatabase.mariaDb();

    @Override
    public DataSource empty() {
      return empty;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql implements RepairMySql {
    private final DataSource empty = EmptyDatabase.mySql();

    @Override
    public DataSource empty() {
      return empty;
    }
  }

  interface RepairMySql extends Repair {
    @Test
    default void nodeThatWaitsTooLongForAnotherOneSaysSo() throws SQLException {
      try (Connection other = empty().getConnection();
          Connection connection = empty().getConnection()) {
        MySqlSchemaSql.lockForCreate(other, Duration.ofSeconds(60));

        assertThatThrownBy(() -> MySqlSchemaSql.lockForCreate(connection, Duration.ofSeconds(1)))
            .isInstanceOf(StoreException.class)
            .hasMessageContaining("held the lock 'angarium schema' for 1s (expected: another");
      }
    }

    @Test
    default void errorOfAScriptIsNotHiddenByWhatFailsAfterIt() throws SQLException {
      try (Connection connection = empty().getConnection()) {
        Dialect dialect = Dialects.of(connection, new TableNames(VALIDATE));
        List<String> killed = List.of("angarium/schema-test/mysql/V4__killed.sql");

        assertThatThrownBy(
                () -> new SchemaScripts(dialect, dialect.names(), in -> killed).create(connection))
            .isInstanceOf(SQLException.class)
            .hasMessageMatching("(?is).*(killed|interrupted).*")
            .satisfies(e -> assertThat(e.getSuppressed()).isNotEmpty());
      }
    }
  }

  interface Repair {
    DataSource empty();

    /** For the next try. */
    default DataSource next() {
      return empty();
    }

    @Test
    default void firstScriptThatEndedAnywhereIsFinished() throws SQLException {
      JdbcDatabase.open(empty(), CREATE.tables("whole"));
      List<String> statements = statements(empty(), SchemaFeature.OUTBOX);
      for (int done = 0; done <= statements.size(); done++) {
        DataSource next = next();
        JdbcConfig config = CREATE.tables("outbox_%02d".formatted(done));
        run(next, new TableNames(config), statements.subList(0, done));

        JdbcDatabase.open(next, config);

        assertThat(indexes(next, config.tables())).isEqualTo(indexes(empty(), "whole"));
        String row = "SELECT MAX(version) FROM " + config.tables();
        assertThat(EmptyDatabase.number(next, row + "_schema")).isEqualTo(1);
        assertThat(EmptyDatabase.number(next, row + "_feature")).isEqualTo(5);
      }
    }

    @Test
    default void firstScriptOfTheInboxThatEndedAnywhereIsFinished() throws SQLException {
      JdbcInbox.open(empty(), CREATE_INBOX.tables("whole"));
      List<String> statements = statements(empty(), SchemaFeature.INBOX);
      for (int done = 0; done <= statements.size(); done++) {
        DataSource next = next();
        InboxConfig config = CREATE_INBOX.tables("inbox_%02d".formatted(done));
        run(next, new TableNames(config), statements.subList(0, done));

        JdbcInbox.open(next, config);

        assertThat(indexes(next, config.tables())).isEqualTo(indexes(empty(), "whole"));
        String row = "SELECT MAX(version) FROM " + config.tables();
        assertThat(EmptyDatabase.number(next, row + "_schema")).isEqualTo(1);
        assertThat(EmptyDatabase.number(next, row + "_feature")).isEqualTo(2);
      }
    }

    @Test
    default void missingRowOfTheFirstScriptIsAFault() throws SQLException {
      for (SchemaFeature feature : List.of(SchemaFeature.OUTBOX, SchemaFeature.INBOX)) {
        List<String> statements = statements(empty(), feature);
        Connection connection = empty().getConnection();
        try (connection) {
          for (String sql : statements.subList(0, statements.size() - 1)) {
            Sql.of(sql).run(connection);
          }
        }
      }

      assertThatThrownBy(() -> JdbcDatabase.open(empty(), VALIDATE))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("table outbox_schema: no row (expected: one, which the last")
          .hasMessageContaining("V1__outbox.sql");
      assertThatThrownBy(() -> JdbcInbox.open(empty(), InboxConfig.DEFAULTS))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("table inbox_schema: no row (expected: one, which the last")
          .hasMessageContaining("V1__inbox.sql");
    }

    @Test
    default void droppedFeatureIsCreatedWhenItIsOnAgain() {
      JdbcDatabase.open(empty(), CREATE.features(SchemaFeature.CONFIRMATION));
      EmptyDatabase.execute(empty(), "DROP TABLE outbox_unconfirmed", "DROP TABLE outbox_receipt");

      assertThat(JdbcDatabase.open(empty(), CREATE).confirmations().unconfirmed()).isZero();
      EmptyDatabase.execute(empty(), "DROP TABLE outbox_receipt");
      assertThatCode(() -> JdbcDatabase.open(empty(), CREATE).confirmations())
          .doesNotThrowAnyException();
      assertThat(EmptyDatabase.number(empty(), "SELECT COUNT(*) FROM outbox_receipt")).isZero();
    }

    @Test
    default void droppedInboxIsCreatedWhenItIsOnAgain() {
      JdbcInbox.open(empty(), CREATE_INBOX);
      EmptyDatabase.execute(
          empty(),
          "DROP TABLE inbox",
          "DROP TABLE IF EXISTS inbox_previous",
          "DROP TABLE inbox_schema");

      assertThatCode(() -> JdbcInbox.open(empty(), CREATE_INBOX)).doesNotThrowAnyException();
    }

    /** The scripts of this code would create less than the record says. */
    @Test
    default void droppedFeatureOfANewerVersionIsLeftToThat() {
      JdbcDatabase.open(empty(), CREATE.features(SchemaFeature.MARKER));
      EmptyDatabase.execute(
          empty(),
          "DROP TABLE outbox_marker",
          "UPDATE outbox_feature SET version = 9 WHERE feature = 'MARKER'");

      JdbcDatabase database = JdbcDatabase.open(empty(), CREATE);
      assertThatThrownBy(database::markers)
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("feature marker: none of its tables is in")
          .hasMessageContaining("version 9 is recorded; create them with the newer Angarium");
      assertThat(database.has(SchemaFeature.MARKER)).isFalse();
    }
  }

  private static List<String> statements(DataSource database, SchemaFeature feature)
      throws SQLException {
    try (Connection connection = database.getConnection()) {
      Dialect dialect = Dialects.of(connection, new TableNames(VALIDATE));
      return SchemaScripts.statements(FeatureScripts.after(feature, 0, dialect).get(0));
    }
  }

  private static void run(DataSource database, TableNames names, List<String> statements) {
    EmptyDatabase.execute(database, statements.stream().map(names::in).toArray(String[]::new));
  }

  /** The indexed columns of each table, by what follows a prefix in its name. */
  private static Map<String, List<String>> indexes(DataSource database, String prefix)
      throws SQLException {
    Map<String, List<String>> indexes = new TreeMap<>();
    try (Connection connection = database.getConnection();
        ResultSet tables =
            connection
                .getMetaData()
                .getTables(connection.getCatalog(), connection.getSchema(), "%", null)) {
      while (tables.next()) {
        String table = tables.getString("TABLE_NAME");
        String lower = table.toLowerCase(Locale.ROOT);
        String type = String.valueOf(tables.getString("TABLE_TYPE"));
        if ((lower.equals(prefix) || lower.startsWith(prefix + "_")) && type.endsWith("TABLE")) {
          indexes.put(lower.substring(prefix.length()), indexedColumns(connection, table));
        }
      }
    }
    assertThat(indexes).isNotEmpty();
    return indexes;
  }

  private static List<String> indexedColumns(Connection connection, String table)
      throws SQLException {
    List<String> columns = new ArrayList<>();
    try (ResultSet index =
        connection
            .getMetaData()
            .getIndexInfo(connection.getCatalog(), connection.getSchema(), table, false, true)) {
      while (index.next()) {
        columns.add(index.getInt("ORDINAL_POSITION") + " " + index.getString("COLUMN_NAME"));
      }
    }
    Collections.sort(columns);
    return columns;
  }
}
