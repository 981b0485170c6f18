package io.angarium.server;

import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.half.HalfMessages;
import io.angarium.testkit.HalfMessagesFixture;
import io.angarium.testkit.HalfMessagesTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.springframework.jdbc.core.JdbcTemplate;

/** The contract of half messages over HTTP, against the server on a real database. */
class ServerContractTest {
  /** So that what is on its way stays where it can be seen. */
  private static final String NO_RELAY = "angarium.relay.enabled=false";

  @Nested
  class OnH2 implements HalfMessagesTck {
    private static ServerUnderTest server;
    private final Fixture fixture = new Fixture(server);

    @BeforeAll
    static void start() {
      server = ServerUnderTest.open(NO_RELAY);
    }

    @AfterAll
    static void stop() {
      server.close();
    }

    @Override
    public HalfMessagesFixture fixture() {
      return fixture;
    }
  }

  @Nested
  @RequiresServer(io.angarium.testservers.Server.POSTGRESQL)
  class OnPostgres implements HalfMessagesTck {
    private static ServerUnderTest server;
    private final Fixture fixture = new Fixture(server);

    @BeforeAll
    static void start() {
      TestDatabase database = SharedServers.postgres().freshDatabase();
      server =
          ServerUnderTest.guarded(database.url(), database.user(), database.password(), NO_RELAY);
    }

    @AfterAll
    static void stop() {
      server.close();
    }

    @Override
    public HalfMessagesFixture fixture() {
      return fixture;
    }
  }

  private static final class Fixture implements HalfMessagesFixture {
    private static final String COLUMNS =
        "SELECT destination, message_key, message_type, headers, payload, business_type,"
            + " business_key, created_by, ";

    private final ServerUnderTest server;
    private final JdbcTemplate jdbc;
    private final HalfMessages half;

    Fixture(ServerUnderTest server) {
      this.server = server;
      this.jdbc = new JdbcTemplate(server.bean(DataSource.class));
      for (String table : List.of("outbox_half", "outbox", "outbox_delayed")) {
        jdbc.execute("DELETE FROM " + table);
      }
      this.half = server.half();
    }

    @Override
    public HalfMessages half() {
      return half;
    }

    @Override
    public HalfMessages another() {
      return server.half();
    }

    @Override
    public List<Message> sent() {
      List<Message> sent = new ArrayList<>();
      sent.addAll(jdbc.query(COLUMNS + "NULL FROM outbox", (row, number) -> message(row, null)));
      sent.addAll(
          jdbc.query(
              COLUMNS + "due_at FROM outbox_delayed",
              (row, number) -> message(row, instant(row, 9))));
      return sent;
    }

    private static Message message(ResultSet row, @Nullable Instant due) throws SQLException {
      Message message =
          Message.of(row.getString(1), row.getBytes(5))
              .key(row.getString(2))
              .type(row.getString(3))
              .headers(Headers.decode(row.getString(4)))
              // where a message has no creator, the server is it
              .createdBy(row.getString(8).equals("angarium-server") ? null : row.getString(8))
              .notBefore(due);
      String business = row.getString(6);
      return business == null ? message : message.business(business, row.getString(7));
    }

    private static Instant instant(ResultSet row, int column) throws SQLException {
      Timestamp utc = row.getTimestamp(column, Calendar.getInstance(TimeZone.getTimeZone("UTC")));
      return utc.toInstant();
    }

    @Override
    public Instant now() {
      return jdbc.queryForObject("SELECT CURRENT_TIMESTAMP", Timestamp.class).toInstant();
    }

    @Override
    public void close() {
      // the server is closed after all tests
    }
  }
}
