package io.angarium.jdbc;

import io.angarium.store.Span;
import java.util.List;

/** What a database without readable snapshots offers instead. */
sealed interface DirtyReads extends Dialect permits H2Dialect, MySqlFamily {
  /** The ids of rows above {@code after} up to {@code upTo}, ascending, at most {@code limit}. */
  Sql ids(long after, long upTo, int limit);

  /** Partition and id of the rows of the spans. */
  Sql positions(List<Span> spans, int limitPerSpan);
}
