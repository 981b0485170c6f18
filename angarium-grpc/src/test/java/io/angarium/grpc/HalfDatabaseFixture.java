package io.angarium.grpc;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.half.HalfMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcHalfMessages;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testkit.tck.HalfMessagesFixture;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** Half messages in a database, with a network between. */
final class HalfDatabaseFixture implements HalfMessagesFixture {
  private static final String COLUMNS =
      "destination, message_key, message_type, headers, business_type, business_key, created_by,"
          + " payload";

  private final DataSource dataSource;
  private final JdbcHalfMessages real;
  private final ServedOverGrpc served;
  private final HalfMessages half;

  private HalfDatabaseFixture(DataSource dataSource) {
    this.dataSource = dataSource;
    this.real =
        JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE))
            .halfMessages(MessageIntake.of(null), Handover.NONE);
    this.served = ServedOverGrpc.start(threads -> new GrpcHalfService(real, threads));
    this.half = another();
  }

  static HalfDatabaseFixture h2() {
    JdbcDataSource dataSource = new JdbcDataSource();
    dataSource.setURL("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
    dataSource.setUser("sa");
    return new HalfDatabaseFixture(dataSource);
  }

  static HalfDatabaseFixture postgres() {
    TestDatabase database = SharedServers.postgres().freshDatabase();
    PGSimpleDataSource dataSource = new PGSimpleDataSource();
    dataSource.setUrl(database.url());
    dataSource.setUser(database.user());
    dataSource.setPassword(database.password());
    return new HalfDatabaseFixture(dataSource);
  }

  @Override
  public HalfMessages half() {
    return half;
  }

  @Override
  public HalfMessages another() {
    return new GrpcHalfMessages(served.channel(), GrpcHalfScene.PATIENT);
  }

  @Override
  public List<Message> sent() {
    List<Message> sent = new ArrayList<>();
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement()) {
      try (ResultSet rows = statement.executeQuery("SELECT " + COLUMNS + " FROM outbox")) {
        while (rows.next()) {
          sent.add(message(rows));
        }
      }
      try (ResultSet rows =
          statement.executeQuery("SELECT " + COLUMNS + ", due_at FROM outbox_delayed")) {
        while (rows.next()) {
          sent.add(message(rows).notBefore(instant(rows, 9)));
        }
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return sent;
  }

  private static Message message(ResultSet row) throws SQLException {
    Message message =
        Message.of(row.getString(1), row.getBytes(8))
            .key(row.getString(2))
            .type(row.getString(3))
            .headers(Headers.decode(row.getString(4)))
            .createdBy(row.getString(7));
    return row.getString(5) == null
        ? message
        : message.business(new BusinessKey(row.getString(5), row.getString(6), Uniqueness.NONE));
  }

  private static Instant instant(ResultSet row, int column) throws SQLException {
    return row.getObject(column, OffsetDateTime.class).toInstant();
  }

  @Override
  public Instant now() {
    try (Connection connection = dataSource.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT CURRENT_TIMESTAMP")) {
      rows.next();
      return instant(rows, 1);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    served.close();
    real.close();
  }
}
