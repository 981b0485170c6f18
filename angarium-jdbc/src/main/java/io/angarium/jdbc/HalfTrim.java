package io.angarium.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Deletes what was decided long ago, page by page in the order in which it was prepared, as far as
 * anything can be old enough: so nobody needs an index by time. One thread.
 */
final class HalfTrim {
  private final HalfDialect dialect;
  private final Duration age;
  private long after;
  private long forgotten;

  private record Row(long number, boolean decided, boolean old) {}

  HalfTrim(HalfDialect dialect, Duration age) {
    this.dialect = dialect;
    this.age = age;
  }

  long forgotten() {
    return forgotten;
  }

  /** True if there may be more. */
  boolean page(Connection connection) throws SQLException {
    List<Row> page =
        dialect
            .old(age, after)
            .query(
                connection, row -> new Row(row.getLong(1), row.getInt(2) == 1, row.getInt(3) == 1));
    if (page.isEmpty()) {
      return false;
    }
    List<Long> numbers = new ArrayList<>();
    page.stream().filter(Row::decided).map(Row::number).forEach(numbers::add);
    if (!numbers.isEmpty()) {
      forgotten += dialect.forget(age, numbers).update(connection);
    }
    Row last = page.get(page.size() - 1);
    after = last.number();
    return last.old();
  }
}
