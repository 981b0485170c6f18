package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.StoreException;
import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.inbox.InboxWait;
import io.angarium.jdbc.internal.inbox.MariaDbInboxDialect;
import io.angarium.jdbc.internal.session.Dialects;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import io.angarium.testservers.RequiresMySql;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Users of the database that may process, and perhaps not rotate. */
@OnOneJdk
final class InboxRightsTest {
  private static final InboxKey KEY = InboxKey.of("stock", "1");

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  final class OnPostgres implements Rights {
    private final TestDatabase database = SharedServers.postgres().freshDatabase();

    @Override
    public TestDatabase database() {
      return database;
    }

    @Override
    public void create(String user) throws SQLException {
      database.execute(
          "CREATE ROLE " + user + " LOGIN PASSWORD 'secret'",
          "GRANT SELECT ON inbox_feature TO " + user,
          "GRANT SELECT, INSERT ON inbox, inbox_previous, inbox_schema TO " + user);
    }

    @Override
    public void permit(String user) throws SQLException {
      database.execute(
          "ALTER TABLE inbox OWNER TO " + user,
          "ALTER TABLE inbox_previous OWNER TO " + user,
          "GRANT UPDATE ON inbox_schema TO " + user,
          "GRANT CREATE ON SCHEMA public TO " + user);
    }

    @Override
    public void makeOld() throws SQLException {
      database.execute("UPDATE inbox_schema SET rotated_at = rotated_at - INTERVAL '15 days'");
    }

    @Override
    public void drop(String user) throws SQLException {
      database.execute("DROP OWNED BY " + user, "DROP ROLE " + user);
    }
  }

  @Nested
  @RequiresMariaDb
  final class OnMariaDb implements OnMySqlFamily {
    private final TestDatabase database = SharedServers.mariaDb().freshDatabase();

    @Override
    public TestDatabase database() {
      return database;
    }

    /** The driver logs every error at WARN, and this question is asked at each start. */
    @Test
    void questionCausesNoErrorOnTheServer() throws SQLException {
      DataSource owner = new ConnectionSource(database::connect);
      JdbcInbox.open(owner, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      TableNames names = new TableNames(InboxConfig.DEFAULTS);

      try (Connection connection = database.connect()) {
        Dialect server = Dialects.of(connection, new TableNames(JdbcConfig.DEFAULTS));
        MariaDbInboxDialect inbox =
            new MariaDbInboxDialect(server, names, InboxWait.of(InboxConfig.DEFAULTS));
        List<Sql> question = inbox.mayRotate();

        assertThat(question).hasSize(2);
        for (Sql statement : question) {
          assertThatCode(() -> statement.run(connection)).doesNotThrowAnyException();
        }
      }
    }
  }

  @Nested
  @RequiresMySql
  final class OnMySql implements OnMySqlFamily {
    private final TestDatabase database = SharedServers.mySql().freshDatabase();

    @Override
    public TestDatabase database() {
      return database;
    }
  }

  interface OnMySqlFamily extends Rights {
    @Override
    default void create(String user) throws SQLException {
      database()
          .execute(
              "CREATE USER " + user + " IDENTIFIED BY 'secret'",
              "GRANT SELECT, INSERT ON " + database().name() + ".* TO " + user);
    }

    @Override
    default void permit(String user) throws SQLException {
      String name = database().name();
      database()
          .execute(
              "GRANT ALTER, DROP, CREATE, INSERT ON " + name + ".inbox TO " + user,
              "GRANT ALTER, DROP, CREATE, INSERT ON " + name + ".inbox_previous TO " + user,
              "GRANT ALTER, DROP, CREATE, INSERT ON " + name + ".inbox_rotating TO " + user,
              "GRANT UPDATE ON " + name + ".inbox_schema TO " + user);
    }

    @Override
    default void makeOld() throws SQLException {
      database().execute("UPDATE inbox_schema SET rotated_at = rotated_at - INTERVAL 15 DAY");
    }

    @Override
    default void drop(String user) throws SQLException {
      database().execute("DROP USER " + user);
    }
  }

  interface Rights {
    TestDatabase database();

    /** Who may process only. */
    void create(String user) throws SQLException;

    void permit(String user) throws SQLException;

    void makeOld() throws SQLException;

    void drop(String user) throws SQLException;

    private DataSource as(String user) {
      return new ConnectionSource(
          () -> DriverManager.getConnection(database().url(), user, "secret"));
    }

    @Test
    default void userWhoMayNotRotateIsToldWhatToGrantAndThenRotates() throws SQLException {
      DataSource owner = new ConnectionSource(database()::connect);
      JdbcInbox.open(owner, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
      String user = "app_" + Long.toString(System.nanoTime(), 36);
      create(user);
      try {
        JdbcInbox inbox = JdbcInbox.open(as(user), InboxConfig.DEFAULTS);
        assertThat(inbox.process(KEY, connection -> {})).isTrue();
        makeOld();

        assertThat(inbox.rotationFault().orElseThrow())
            .contains("inbox_previous", "CREATE", "UPDATE on inbox_schema");
        assertThatThrownBy(inbox::rotate).isInstanceOf(StoreException.class);
        permit(user);
        assertThat(inbox.rotationFault()).isEmpty();
        assertThat(inbox.rotate()).isTrue();
        assertThat(inbox.process(KEY, connection -> {})).isFalse();
      } finally {
        drop(user);
      }
    }

    /** The question must not stand in the way of those who process, as the rotation does. */
    @Test
    default void questionWaitsForNobody() {
      DataSource owner = new ConnectionSource(database()::connect);
      JdbcInbox inbox = JdbcInbox.open(owner, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));

      boolean processed =
          inbox.process(KEY, connection -> assertThat(inbox.rotationFault()).isEmpty());

      assertThat(processed).isTrue();
    }
  }
}
