package io.angarium.jdbc;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Message;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.Partitioning;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.zone.ZoneOffsetTransition;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TimeZone;

/**
 * A process of its own, since it changes the time zone of its JVM: writes messages that are due
 * around each change of its clocks, and reads times of writing around them.
 */
final class DaylightSavingProcess {
  static final String DONE = "ways: ";
  static final String FAULT = "fault: ";

  /** The first has a gap at night; others are of half an hour, at midnight, or of a whole day. */
  private static final List<String> ZONES =
      List.of(
          "Europe/Berlin",
          "America/New_York",
          "Australia/Lord_Howe",
          "America/Sao_Paulo",
          "Pacific/Apia");

  private static final Instant FROM = Instant.parse("2027-01-01T00:00:00Z");
  private static final Instant APIA_SKIPPED_A_DAY = Instant.parse("2011-12-30T10:00:00Z");
  private static final DateTimeFormatter LITERAL =
      DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.SSSSSS").withZone(ZoneOffset.UTC);

  private final String way;
  private final ConnectionSource connections;

  private DaylightSavingProcess(String way, String url, String user, String password) {
    this.way = way;
    this.connections = new ConnectionSource(() -> DriverManager.getConnection(url, user, password));
  }

  /**
   * Runs all ways in all zones.
   *
   * @param args of each way its name, URL, user and password
   */
  public static void main(String[] args) throws SQLException {
    int ways = 0;
    for (String zone : ZONES) {
      TimeZone.setDefault(TimeZone.getTimeZone(zone));
      for (int i = 0; i < args.length; i += 4) {
        new DaylightSavingProcess(args[i], args[i + 1], args[i + 2], args[i + 3]).run(zone);
        ways++;
      }
    }
    System.out.println(DONE + ways);
  }

  /** Instants at the changes, and those that are read as times that do not exist in the zone. */
  private static List<Instant> moments(ZoneId zone) {
    Set<Instant> moments = new LinkedHashSet<>();
    Instant at = FROM;
    for (int i = 0; i < 2; i++) {
      ZoneOffsetTransition change = zone.getRules().nextTransition(at);
      ZoneOffsetTransition found = change == null ? zone.getRules().previousTransition(at) : change;
      Duration half = found.getDuration().abs().dividedBy(2);
      Instant asUtc = found.getDateTimeBefore().toInstant(ZoneOffset.UTC);
      for (Instant middle : List.of(found.getInstant(), asUtc)) {
        moments.addAll(
            List.of(
                middle.minus(half),
                middle.minusNanos(1_000),
                middle,
                middle.plus(half),
                middle.plus(half).plusNanos(123_456_000),
                middle.plus(half).plus(half)));
      }
      at = found.getInstant();
    }
    moments.add(APIA_SKIPPED_A_DAY);
    moments.add(Instant.parse("2027-06-30T23:59:59.999999Z"));
    return new ArrayList<>(moments);
  }

  private void run(String zone) throws SQLException {
    JdbcDatabase database =
        JdbcDatabase.open(connections, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    String product = database.product();
    List<Instant> moments = moments(ZoneId.of(zone));
    JdbcOutbox outbox = database.outbox(MessageIntake.of("shop"), Handover.NONE);
    execute("DELETE FROM outbox_delayed");
    execute("DELETE FROM outbox");
    outbox.inTransaction(
        (c, messages) -> {
          for (Instant moment : moments) {
            Message message = Message.of("fake:due", moment.toString().getBytes(UTF_8));
            messages.send(message.notBefore(due(moment)));
            messages.send(message);
          }
          return true;
        });
    checkDue(zone, product, moments);
    checkWritten(zone, product, database, moments);
  }

  /** The same, or long after, since what is due already is not delayed. */
  private static Instant due(Instant moment) {
    return moment.isBefore(FROM) ? moment.plus(Duration.ofDays(36_525)) : moment;
  }

  private void checkDue(String zone, String product, List<Instant> moments) throws SQLException {
    List<String> stored = new ArrayList<>();
    try (Connection c = connections.getConnection();
        Statement s = c.createStatement();
        ResultSet r =
            s.executeQuery("SELECT payload, " + dueAt(product) + " FROM outbox_delayed")) {
      while (r.next()) {
        Instant meant = Instant.parse(new String(r.getBytes(1), UTF_8));
        Instant due = due(meant);
        Instant found = Instant.parse(r.getString(2) + "Z");
        stored.add(meant.toString());
        if (!found.equals(due)) {
          fault(zone, "due at " + due + ", stored as " + found);
        }
      }
    }
    if (stored.size() != moments.size()) {
      fault(zone, stored.size() + " delayed of " + moments.size());
    }
  }

  private static String dueAt(String product) {
    return switch (product) {
      case "PostgreSQL" -> "TO_CHAR(due_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US')";
      case "H2" -> "FORMATDATETIME(due_at, 'yyyy-MM-dd''T''HH:mm:ss.SSSSSS', 'en', 'UTC')";
      default -> "DATE_FORMAT(due_at, '%Y-%m-%dT%H:%i:%s.%f')";
    };
  }

  private static String literal(String product, Instant moment) {
    String text = LITERAL.format(moment);
    return switch (product) {
      case "PostgreSQL" -> "'" + text + "+00'";
      case "H2" -> "TIMESTAMP WITH TIME ZONE '" + text + "+00'";
      default -> "'" + text + "'";
    };
  }

  private void checkWritten(
      String zone, String product, JdbcDatabase database, List<Instant> moments)
      throws SQLException {
    try (Connection c = connections.getConnection()) {
      c.setAutoCommit(false);
      for (Instant moment : moments) {
        String sql = "UPDATE outbox SET created_at = " + literal(product, moment);
        try (PreparedStatement s = c.prepareStatement(sql + " WHERE payload = ?")) {
          s.setBytes(1, moment.toString().getBytes(UTF_8));
          s.executeUpdate();
        }
      }
      c.commit();
    }
    List<StoredMessage> rows;
    try (JdbcOutboxStore store = database.store()) {
      List<SequenceRange> all =
          Arrays.stream(Partitioning.DEFAULTS.all())
              .mapToObj(p -> SequenceRange.after(p, 0))
              .toList();
      rows = store.read(all, ReadLimit.rows(10_000)).rows();
    }
    for (StoredMessage row : rows) {
      String meant = new String(row.message().payload(), UTF_8);
      if (!row.createdAt().equals(Instant.parse(meant))) {
        fault(zone, "written at " + meant + ", read as " + row.createdAt());
      }
    }
    if (rows.size() != moments.size()) {
      fault(zone, rows.size() + " rows of " + moments.size());
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection c = connections.getConnection();
        Statement s = c.createStatement()) {
      s.execute(sql);
    }
  }

  private void fault(String zone, String what) {
    System.out.println(FAULT + way + " in " + zone + ": " + what);
  }
}
