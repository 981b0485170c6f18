package io.angarium.jdbc.internal.half;

import io.angarium.jdbc.internal.session.Session;
import io.angarium.store.internal.Halving;
import io.angarium.store.internal.RefusedRows;
import java.time.Duration;
import java.util.List;

/**
 * Deletes what was decided long ago, page by page in the order in which it was prepared, as far as
 * anything can be old enough: so nobody needs an index by time. One thread.
 */
public final class HalfTrim {
  private final HalfDialect dialect;
  private final Duration age;
  private final RefusedRows<Long> refused;
  private long after;
  private long forgotten;

  private record Row(long number, boolean decided, boolean old) {}

  public HalfTrim(HalfDialect dialect, Duration age, RefusedRows<Long> refused) {
    this.refused = refused;
    this.dialect = dialect;
    this.age = age;
  }

  public long forgotten() {
    return forgotten;
  }

  /** True if there may be more. */
  public boolean page(Session session) {
    String what = "forgetting half messages";
    List<Row> page =
        session.call(
            what,
            connection ->
                dialect
                    .old(age, after)
                    .query(
                        connection,
                        row -> new Row(row.getLong(1), row.getInt(2) == 1, row.getInt(3) == 1)));
    if (page.isEmpty()) {
      return false;
    }
    List<Long> numbers = page.stream().filter(Row::decided).map(Row::number).toList();
    Halving<Long> outcome =
        refused.write(
            numbers,
            number -> number,
            some -> forgotten += session.call(what, dialect.forget(age, some)::update));
    if (!outcome.untried().stream().allMatch(refused::has)) {
      return false; // no single row is to blame; these are the first to be tried in the next round
    }
    Row last = page.get(page.size() - 1);
    after = last.number();
    return last.old();
  }
}
