package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.Sender;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Sends rows without waiting; a thread of its own deletes exactly those acknowledged. */
final class RawOutput {
  private static final int DELETE = 1_000;
  private static final int IN_FLIGHT = 20_000;

  /** Longer than the client of Kafka tries: 120 s, with 30 for a request that has no answer. */
  private static final int PATIENCE_SECONDS = 180;

  private final DataSource dataSource;
  private final RawTable table;
  private final Sender sender;
  private final Consumer<List<RawRow>> deleted;
  private final Semaphore window = new Semaphore(IN_FLIGHT);
  private final BlockingQueue<RawRow> acknowledged = new LinkedBlockingQueue<>();
  private final Thread deleting = new Thread(this::delete, "raw-delete");
  private volatile @Nullable Throwable failed;

  /**
   * @param deleted told what was deleted, by the thread that did it
   */
  RawOutput(DataSource dataSource, RawTable table, Sender sender, Consumer<List<RawRow>> deleted) {
    this.dataSource = dataSource;
    this.table = table;
    this.sender = sender;
    this.deleted = deleted;
  }

  void start() {
    deleting.start();
  }

  /** Sends them in their order; blocks while too many are on their way. One thread at a time. */
  void send(List<RawRow> rows) throws InterruptedException {
    for (RawRow row : rows) {
      window.acquire();
      sender.send(row.key(), row.payload(), failure -> settle(row, failure));
    }
  }

  private void settle(RawRow row, @Nullable Throwable failure) {
    if (failure == null) {
      acknowledged.add(row);
    } else {
      failed = failure;
    }
  }

  /**
   * Returns when everything that was sent is acknowledged and deleted.
   *
   * @throws IllegalStateException if something failed or takes too long
   */
  void stop() throws InterruptedException {
    int seconds = 0;
    while (!window.tryAcquire(IN_FLIGHT, 1, TimeUnit.SECONDS)) {
      if (failed != null || ++seconds == PATIENCE_SECONDS) {
        throw new IllegalStateException(unfinished(), failed);
      }
    }
    deleting.interrupt();
    deleting.join();
  }

  private String unfinished() {
    int unfinished = IN_FLIGHT - window.availablePermits();
    return unfinished
        + " messages were not deleted, "
        + acknowledged.size()
        + " of them wait for it";
  }

  private void delete() {
    try (Connection connection = dataSource.getConnection()) {
      table.prepare(connection);
      try {
        deleteFrom(connection);
      } catch (InterruptedException e) { // stopped, with nothing left to delete
        table.reset(connection);
      }
    } catch (SQLException e) {
      failed = e;
    }
  }

  private void deleteFrom(Connection connection) throws SQLException, InterruptedException {
    List<RawRow> batch = new ArrayList<>(DELETE);
    while (true) {
      batch.add(acknowledged.take());
      acknowledged.drainTo(batch, DELETE - 1);
      table.delete(connection, batch);
      deleted.accept(batch);
      window.release(batch.size());
      batch.clear();
    }
  }
}
