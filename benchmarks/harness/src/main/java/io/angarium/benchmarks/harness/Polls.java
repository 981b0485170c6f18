package io.angarium.benchmarks.harness;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.angarium.Partitioning;
import io.angarium.jdbc.JdbcConfig;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcOutboxStore;
import io.angarium.store.ReadLimit;
import io.angarium.store.Span;
import io.angarium.testservers.TestDatabase;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** Looks at an outbox as a relay makes them that has sent everything. */
final class Polls {
  private Polls() {}

  /** The median time of many looks at all keyed partitions, in nanoseconds. */
  static double median(TestDatabase database, int polls) {
    long[] took = new long[polls];
    try (HikariDataSource dataSource = pool(database);
        JdbcOutboxStore store = JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS).store()) {
      long last = store.lastSequence();
      List<Span> spans =
          IntStream.range(0, Partitioning.DEFAULTS.keyed())
              .mapToObj(partition -> new Span(partition, last, Long.MAX_VALUE))
              .toList();
      for (int i = 0; i < polls; i++) {
        long start = System.nanoTime();
        store.read(spans, ReadLimit.rows(100));
        took[i] = System.nanoTime() - start;
      }
    }
    Arrays.sort(took);
    return took[polls / 2];
  }

  /** A few connections to a database; to be closed by the caller. */
  static HikariDataSource pool(TestDatabase database) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(database.url());
    config.setUsername(database.user());
    config.setPassword(database.password());
    return new HikariDataSource(config);
  }
}
