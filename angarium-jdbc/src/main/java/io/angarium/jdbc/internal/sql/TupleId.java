package io.angarium.jdbc.internal.sql;

import io.angarium.intake.Position;
import java.sql.SQLException;
import java.util.Collection;

/**
 * The physical place of a row in PostgreSQL ({@code ctid}): a number here, {@code (block,offset)}
 * there. An offset is at least 1, so no place is 0.
 */
public final class TupleId {
  private static final int OFFSET_BITS = 16;
  private static final int OFFSET_MASK = (1 << OFFSET_BITS) - 1;
  private static final int TEXT_LENGTH = 14;

  private TupleId() {}

  /** Reads the database's form. */
  public static long parse(String text) throws SQLException {
    int comma = text.indexOf(',');
    int end = text.length() - 1;
    if (comma < 2 || end < comma + 2) {
      throw new SQLException("'" + text + "' is no tuple id (expected: (block,offset))");
    }
    long block = Long.parseLong(text, 1, comma, 10);
    return block << OFFSET_BITS | Integer.parseInt(text, comma + 1, end, 10);
  }

  /** The database's form of the places of some rows, as an array. */
  public static String array(Collection<Position> positions) {
    StringBuilder text = new StringBuilder(positions.size() * TEXT_LENGTH).append('{');
    for (Position position : positions) {
      text.append(text.length() > 1 ? ",\"(" : "\"(")
          .append(position.place() >>> OFFSET_BITS)
          .append(',')
          .append(position.place() & OFFSET_MASK)
          .append(")\"");
    }
    return text.append('}').toString();
  }
}
