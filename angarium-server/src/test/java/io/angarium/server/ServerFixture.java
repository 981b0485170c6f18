package io.angarium.server;

import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.half.HalfMessages;
import io.angarium.testkit.tck.HalfMessagesFixture;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Calendar;
import java.util.List;
import java.util.TimeZone;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.core.JdbcTemplate;

/** A server whose messages stay in the database, where they are looked at; empty at the start. */
final class ServerFixture implements HalfMessagesFixture {
  private static final String COLUMNS =
      "SELECT destination, message_key, message_type, headers, payload, business_type,"
          + " business_key, created_by, ";

  private final JdbcTemplate jdbc;
  private final Supplier<? extends HalfMessages> clients;
  private final HalfMessages half;
  private final boolean mySqlFamily;

  /**
   * @param clients of that server, made by it
   */
  ServerFixture(ServerUnderTest server, Supplier<? extends HalfMessages> clients) {
    this.clients = clients;
    this.jdbc = new JdbcTemplate(server.bean(DataSource.class));
    for (String table : List.of("outbox_half", "outbox", "outbox_delayed")) {
      jdbc.execute("DELETE FROM " + table);
    }
    this.half = clients.get();
    this.mySqlFamily =
        server
            .bean(Environment.class)
            .getProperty("spring.datasource.url", "")
            .matches("jdbc:(mariadb|mysql):.*");
  }

  @Override
  public HalfMessages half() {
    return half;
  }

  @Override
  public HalfMessages another() {
    return clients.get();
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
    return mySqlFamily
        ? jdbc.queryForObject("SELECT UTC_TIMESTAMP(6)", (row, number) -> instant(row, 1))
        : jdbc.queryForObject("SELECT CURRENT_TIMESTAMP", Timestamp.class).toInstant();
  }

  @Override
  public void close() {
    // the server is closed after all tests
  }
}
