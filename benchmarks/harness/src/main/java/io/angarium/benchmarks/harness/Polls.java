package io.angarium.benchmarks.harness;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.intake.Partitioning;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcOutboxStore;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import java.util.List;
import java.util.stream.IntStream;

/** Looks at an outbox as a relay makes them that has sent everything. */
final class Polls {
  private Polls() {}

  /**
   * The median time of many looks at all keyed partitions, in nanoseconds.
   *
   * @param warmUps looks before those that count, on the same connections
   */
  static double median(Trial trial, int warmUps, int polls) {
    double[] took = new double[polls];
    try (HikariDataSource dataSource = trial.pool();
        JdbcOutboxStore store = JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS).store()) {
      long last = store.lastSequence();
      List<SequenceRange> spans =
          IntStream.range(0, Partitioning.DEFAULTS.keyed())
              .mapToObj(partition -> new SequenceRange(partition, last, Long.MAX_VALUE))
              .toList();
      for (int i = 0; i < warmUps; i++) {
        store.read(spans, ReadLimit.rows(100));
      }
      for (int i = 0; i < polls; i++) {
        long start = System.nanoTime();
        store.read(spans, ReadLimit.rows(100));
        took[i] = (double) (System.nanoTime() - start);
      }
    }
    return Results.median(took).orElseThrow();
  }
}
