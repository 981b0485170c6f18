package io.angarium.jdbc.internal.dialect;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.deadletter.DeadLetter;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads messages from rows whose columns are, in this order: partition_no, id, message_id,
 * destination, message_key, message_type, headers, payload, business_type, business_key,
 * created_by, attempts, created_at. Thread-safe.
 */
public final class MessageRows {
  private static final int DESTINATIONS_REMEMBERED_MAX = 1_000;

  private static final int MALFORMED_SHOWN = 100;

  private final Dialect dialect;
  private final Map<String, Destination> destinations = new ConcurrentHashMap<>();

  /**
   * The destination of the last row, which most rows agree with; a hint, so that a race costs time
   * only.
   */
  private volatile @Nullable Known last;

  private record Known(String text, Destination destination) {}

  public MessageRows(Dialect dialect) {
    this.dialect = dialect;
  }

  public StoredMessage message(ResultSet row) throws SQLException {
    return message(row, 0);
  }

  /** Where the row is, 0 if this database does not say. */
  public long place(ResultSet row, int column) throws SQLException {
    return dialect.outbox().place(row, column);
  }

  public StoredMessage message(ResultSet row, long place) throws SQLException {
    return new StoredMessage(
        new Position(row.getInt(1), row.getLong(2), place),
        new MessageId(dialect.uuid(row, 3)),
        content(row),
        row.getInt(12),
        dialect.instant(row, 13));
  }

  // in the order of the columns: some drivers go through a row from its begin to go back
  private Message content(ResultSet row) throws SQLException {
    Destination destination = destination(row.getString(4));
    String key = row.getString(5);
    String type = row.getString(6);
    Headers headers = Headers.decode(row.getString(7));
    Message message = Message.of(destination, row.getBytes(8)).key(key).type(type).headers(headers);
    return business(message, row.getString(9), row.getString(10)).createdBy(row.getString(11));
  }

  private static Message business(Message message, @Nullable String type, @Nullable String key) {
    return type == null || key == null
        ? message
        : message.business(new BusinessKey(type, key, Uniqueness.NONE));
  }

  private Destination destination(String text) {
    Known known = last;
    if (known == null || !known.text().equals(text)) {
      known = new Known(text, remembered(text));
      last = known;
    }
    return known.destination();
  }

  private Destination remembered(String text) {
    Destination known = destinations.get(text);
    if (known != null) {
      return known;
    }
    Destination read = parse(text);
    if (destinations.size() < DESTINATIONS_REMEMBERED_MAX) {
      destinations.put(text, read);
    }
    return read;
  }

  private static Destination parse(String text) {
    try {
      return Destination.parse(text);
    } catch (InvalidMessageException e) { // written past the API; must not stop the other rows
      return malformed(text);
    }
  }

  /** A destination no transport has: the row waits where it is, and log and metrics name it. */
  private static Destination malformed(String text) {
    StringBuilder printable = new StringBuilder();
    text.chars().limit(MALFORMED_SHOWN).forEach(c -> printable.append(shown((char) c)));
    return new Destination("malformed", text.isBlank() ? "blank" : printable.toString());
  }

  private static char shown(char c) {
    return Character.isISOControl(c) ? '?' : c;
  }

  /** A message row followed by reason, dead_since and blocks_key. */
  public DeadLetter deadLetter(ResultSet row) throws SQLException {
    return new DeadLetter(
        message(row), row.getString(14), dialect.instant(row, 15), row.getBoolean(16));
  }
}
