package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.half.HalfKey;
import io.angarium.half.Marker;
import io.angarium.inbox.InboxKey;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.schema.FeatureScripts;
import io.angarium.jdbc.internal.schema.SchemaScripts;
import io.angarium.jdbc.internal.session.Dialects;
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
import java.sql.SQLException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Each table of each feature is missing once, where nothing may create it. */
// #28
final class MissingTableTest {
  private static final Pattern CREATED = Pattern.compile("CREATE TABLE IF NOT EXISTS (\\w+)");

  /** Tables of Angarium 0.1 do not record versions; the partition is needed with a history only. */
  private static final Set<String> SPARED =
      Set.of("outbox_feature", "inbox_feature", "outbox_sent_default");

  @Nested
  final class OnH2 implements OnDatabase {
    private final DataSource database = EmptyDatabase.h2InMemory();

    @Override
    public DataSource database() {
      return database;
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements OnDatabase {
    private final DataSource database = EmptyDatabase.postgres();

    @Override
    public DataSource database() {
      return database;
    }

    @Test
    void historyNeedsItsPartition() {
      EmptyDatabase.execute(database, "DROP TABLE outbox_sent_default");

      open(SchemaMode.VALIDATE, SchemaFeature.OUTBOX);

      JdbcConfig history = JdbcConfig.DEFAULTS.history(true);
      assertThatThrownBy(() -> JdbcDatabase.open(database, history))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("table outbox_sent_default: missing in public (expected: all ");
      JdbcDatabase.open(database, history.schemaMode(SchemaMode.CREATE));
      JdbcDatabase.open(database, history);
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMariaDb
  final class OnMariaDb implements OnMySqlFamily {
    private final DataSource database = EmptyDatabase.mariaDb();

    @Override
    public DataSource database() {
      return database;
    }
  }

  @Nested
  @OnOneJdk
  @RequiresMySql
  final class OnMySql implements OnMySqlFamily {
    private final DataSource database = EmptyDatabase.mySql();

    @Override
    public DataSource database() {
      return database;
    }
  }

  interface OnMySqlFamily extends OnDatabase {
    @Test
    default void tableThatTheAccountCannotSeeMayBeThere() {
      EmptyDatabase.execute(database(), "DROP TABLE inbox");

      assertThatThrownBy(() -> open(SchemaMode.VALIDATE, SchemaFeature.INBOX))
          .hasMessageContaining("(expected: all tables of feature inbox, with a right on each)");
    }
  }

  interface OnDatabase {
    DataSource database();

    @BeforeEach
    default void createAllTables() {
      JdbcDatabase.open(database(), EmptyDatabase.WITH_ALL_TABLES);
      JdbcInbox.open(database(), InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    }

    default void open(SchemaMode mode, SchemaFeature feature) {
      if (feature == SchemaFeature.INBOX) {
        JdbcInbox.open(database(), InboxConfig.DEFAULTS.schemaMode(mode));
      } else {
        JdbcDatabase.open(database(), JdbcConfig.DEFAULTS.schemaMode(mode).features(feature));
      }
    }

    @Test
    default void startNamesTheTableAndWhatCreatesIt() throws SQLException {
      for (SchemaFeature feature : SchemaFeature.values()) {
        String property = feature == SchemaFeature.INBOX ? "inbox" : "jdbc";
        for (String table : tables(feature)) {
          EmptyDatabase.execute(database(), "ALTER TABLE " + table + " RENAME TO gone");

          assertThatThrownBy(() -> open(SchemaMode.VALIDATE, feature))
              .as(table)
              .isInstanceOfSatisfying(
                  ConfigurationException.class, e -> assertThat(e.faults()).hasSize(1))
              .hasMessageMatching("(?s).*\\b" + table + "(: missing in \\w+ \\(expected: |\\); ).*")
              .hasMessageContainingAll(
                  FeatureScripts.title(feature) + "/V1__",
                  "angarium." + property + ".schema-mode=create")
              .hasMessageNotContainingAny("SELECT", "SQL");
          EmptyDatabase.execute(database(), "ALTER TABLE gone RENAME TO " + table);
        }
        open(SchemaMode.VALIDATE, feature);
      }
    }

    private List<String> tables(SchemaFeature feature) throws SQLException {
      try (Connection connection = database().getConnection()) {
        Dialect dialect = Dialects.of(connection, new TableNames(JdbcConfig.DEFAULTS));
        List<String> tables =
            FeatureScripts.after(feature, 0, dialect).stream()
                .map(SchemaScripts::text)
                .flatMap(text -> CREATED.matcher(text).results())
                .map((MatchResult found) -> found.group(1))
                .filter(table -> !SPARED.contains(table))
                .toList();
        assertThat(tables).as(feature.name()).isNotEmpty();
        return tables;
      }
    }

    @Test
    default void severalMissingTablesOfAFeatureAreOneFault() {
      EmptyDatabase.execute(
          database(),
          "DROP TABLE outbox_feature",
          "DROP TABLE outbox_schema",
          "DROP TABLE outbox_node");

      assertThatThrownBy(() -> open(SchemaMode.VALIDATE, SchemaFeature.HALF))
          .isInstanceOfSatisfying(
              ConfigurationException.class, e -> assertThat(e.faults()).hasSize(1))
          .hasMessageContaining("tables outbox_node, outbox_schema: missing in ");
    }

    /** With {@code schema-mode=none}, or if the table is dropped while the application runs. */
    @Test
    default void firstStatementNamesTheTableAndWhatCreatesIt() {
      JdbcInbox inbox =
          JdbcInbox.open(database(), InboxConfig.DEFAULTS.schemaMode(SchemaMode.NONE));
      JdbcDatabase outbox =
          JdbcDatabase.open(database(), JdbcConfig.DEFAULTS.schemaMode(SchemaMode.NONE));
      Map<String, ThrowingCallable> statements = new LinkedHashMap<>();
      statements.put("inbox", () -> inbox.process(InboxKey.of("stock", "1"), connection -> {}));
      statements.put("outbox_marker", () -> claimMarker(outbox));
      statements.put("outbox_half", () -> half(outbox));
      statements.put("outbox_unconfirmed", () -> outbox.confirmations().unconfirmed());
      statements.put(
          "outbox_task", () -> outbox.taskProgress().begin("books", Duration.ofMinutes(1)));
      statements.put("outbox", () -> send(outbox));

      statements.forEach(
          (table, statement) -> {
            EmptyDatabase.execute(database(), "ALTER TABLE " + table + " RENAME TO gone_" + table);

            assertThatThrownBy(statement)
                .as(table)
                .isInstanceOf(StoreException.class)
                .hasMessageMatching("(?is).*\\b" + table + "\\b.*")
                .hasMessageContaining("schema-mode=create or by the scripts that docs/schema.md")
                .hasMessageNotContainingAny("SELECT", "INSERT");
          });
    }

    private static void send(JdbcDatabase outbox) throws Exception {
      outbox
          .outbox(MessageIntake.of(null), Handover.NONE)
          .inTransaction((connection, sending) -> sending.send(Message.of("a:b", new byte[] {1})));
    }

    private static void half(JdbcDatabase outbox) {
      try (JdbcHalfMessages half = outbox.halfMessages(MessageIntake.of(null), Handover.NONE)) {
        half.states(Set.of(new HalfKey("order", "1")));
      }
    }

    private void claimMarker(JdbcDatabase outbox) throws SQLException {
      try (Connection connection = database().getConnection()) {
        connection.setAutoCommit(false);
        outbox.markers().claim(connection, new Marker("order", "1"));
      }
    }
  }
}
