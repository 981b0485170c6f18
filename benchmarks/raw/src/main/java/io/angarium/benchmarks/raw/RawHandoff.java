package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.Sender;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * The loop by hand when relay and producers are one process: what a producer committed goes
 * straight to the thread that sends, and is not read. What was committed before the start is read
 * and sent first. A poll a second finds what nobody handed over, however late it becomes visible.
 *
 * <p>It has no leases, retries or dead letters, and serves one process only. Order per key holds
 * for what is handed over in that order, while nothing fails; what only the poll finds may have
 * been overtaken. While the relay is far behind, {@link #handOver} blocks.
 */
final class RawHandoff {
  private static final int READ = 2_000;
  private static final int PAGES_AHEAD = 2;
  private static final int WAITING = 100_000;
  private static final List<RawRow> END = List.of();

  private final DataSource dataSource;
  private final RawTable table;
  private final RawOutput output;
  private final BlockingQueue<List<RawRow>> backlog = new ArrayBlockingQueue<>(PAGES_AHEAD);
  private final BlockingQueue<List<RawRow>> handed = new LinkedBlockingQueue<>(WAITING);

  /** Not to be sent by the poll. */
  private final Set<Long> taken = ConcurrentHashMap.newKeySet();

  private final Queue<Long> deleted = new ConcurrentLinkedQueue<>();
  private final Thread reading = new Thread(this::read, "raw-read");
  private final Thread sending = new Thread(this::send, "raw-send");
  private final CountDownLatch stop = new CountDownLatch(1);

  RawHandoff(DataSource dataSource, RawTable table, Sender sender) {
    this.dataSource = dataSource;
    this.table = table;
    this.output =
        new RawOutput(
            dataSource, table, sender, rows -> rows.forEach(row -> deleted.add(row.id())));
  }

  void start() {
    reading.start();
    sending.start();
    output.start();
  }

  /** Returns when everything that was handed over or read is acknowledged and deleted. */
  void stop() throws InterruptedException {
    stop.countDown();
    reading.join();
    sending.join();
    output.stop();
  }

  /** Keeps the poll from rows that are about to be committed. */
  void announce(List<RawRow> rows) {
    rows.forEach(row -> taken.add(row.id()));
  }

  /** Leaves rows to the poll, should they have been committed after all. */
  void withdraw(List<RawRow> rows) {
    rows.forEach(row -> taken.remove(row.id()));
  }

  /** Sends rows that were announced and are committed. */
  void handOver(List<RawRow> rows) throws InterruptedException {
    handed.put(rows);
  }

  private void read() {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement next = table.select(connection, "id > ? ORDER BY id LIMIT " + READ)) {
      table.prepare(connection);
      pass(next, backlog);
      backlog.put(END);
      while (!stop.await(1, TimeUnit.SECONDS)) {
        pass(next, handed);
      }
      handed.put(END);
      table.reset(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Reads the table once, and passes on what nobody has taken. */
  private void pass(PreparedStatement next, BlockingQueue<List<RawRow>> to)
      throws SQLException, InterruptedException {
    long cursor = 0;
    int read = READ;
    while (read == READ) {
      for (Long id = deleted.poll(); id != null; id = deleted.poll()) { // no read can show it now
        taken.remove(id);
      }
      next.setLong(1, cursor);
      List<RawRow> rows = RawTable.rows(next);
      read = rows.size();
      cursor = rows.isEmpty() ? cursor : rows.get(read - 1).id();
      List<RawRow> left = new ArrayList<>(rows);
      left.removeIf(row -> !taken.add(row.id()));
      if (!left.isEmpty()) {
        to.put(left);
      }
    }
  }

  private void send() {
    try {
      sendAll(backlog);
      sendAll(handed);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void sendAll(BlockingQueue<List<RawRow>> from) throws InterruptedException {
    for (List<RawRow> rows = from.take(); !rows.isEmpty(); rows = from.take()) {
      output.send(rows);
    }
  }
}
