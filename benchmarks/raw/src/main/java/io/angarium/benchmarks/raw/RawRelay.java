package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.Sender;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;

/**
 * The best polling loop we can write by hand for one process without leases, retries or dead
 * letters: one thread reads ahead from a cursor, one sends without waiting, one deletes exactly
 * what was acknowledged. Order per key holds while nothing fails.
 *
 * <p>While others write, it looks back over the last seconds before it sends what it read, since
 * ids are handed out before transactions commit; a row that becomes visible later than that is
 * never sent. Over a backlog that nobody adds to, it saves itself that.
 */
final class RawRelay {
  private static final int READ = 2_000;
  private static final int PAGES_AHEAD = 2;
  private static final long LOOK_BACK_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final List<RawRow> END = List.of();

  private final DataSource dataSource;
  private final RawTable table;
  private final boolean othersWrite;
  private final RawOutput output;
  private final BlockingQueue<List<RawRow>> ahead = new ArrayBlockingQueue<>(PAGES_AHEAD);
  private final Set<Long> inFlight = new HashSet<>();
  private final Queue<Long> deleted = new ConcurrentLinkedQueue<>();
  private final Thread reading = new Thread(this::read, "raw-read");
  private final Thread sending = new Thread(this::send, "raw-send");
  private final CountDownLatch stop = new CountDownLatch(1);

  private long cursor;
  private long earlier;
  private long earliest;
  private long trailNanos = System.nanoTime();

  RawRelay(DataSource dataSource, RawTable table, Sender sender, boolean othersWrite) {
    this.dataSource = dataSource;
    this.table = table;
    this.othersWrite = othersWrite;
    this.output = new RawOutput(dataSource, table, sender, this::forget);
  }

  void start() {
    reading.start();
    sending.start();
    output.start();
  }

  /** Returns when everything that was read is acknowledged and deleted. */
  void stop() throws InterruptedException {
    stop.countDown();
    reading.join();
    sending.join();
    output.stop();
  }

  private void read() {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement next = table.select(connection, "id > ? ORDER BY id LIMIT " + READ);
        PreparedStatement back = table.select(connection, "id > ? AND id <= ? ORDER BY id")) {
      table.prepare(connection);
      readAhead(next, back);
      table.reset(connection);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void readAhead(PreparedStatement next, PreparedStatement back)
      throws SQLException, InterruptedException {
    boolean stopped = false;
    while (!stopped) {
      List<RawRow> rows = othersWrite ? lookTwice(next, back) : look(next);
      if (!rows.isEmpty()) {
        ahead.put(rows);
      }
      stopped = stop.await(rows.isEmpty() ? 1 : 0, TimeUnit.MILLISECONDS);
    }
    ahead.put(END);
  }

  private List<RawRow> look(PreparedStatement next) throws SQLException {
    next.setLong(1, cursor);
    List<RawRow> rows = RawTable.rows(next);
    if (!rows.isEmpty()) {
      cursor = rows.get(rows.size() - 1).id();
    }
    return rows;
  }

  /** Late rows before new ones, so that none of a key is overtaken. */
  private List<RawRow> lookTwice(PreparedStatement next, PreparedStatement back)
      throws SQLException {
    for (Long id = deleted.poll(); id != null; id = deleted.poll()) { // no read can show it now
      inFlight.remove(id);
    }
    back.setLong(1, trail());
    back.setLong(2, cursor);
    List<RawRow> fresh = look(next);
    List<RawRow> rows = new ArrayList<>(RawTable.rows(back));
    rows.addAll(fresh);
    rows.removeIf(row -> !inFlight.add(row.id()));
    return rows;
  }

  /** Where the cursor was between one and two times the look-back ago. */
  private long trail() {
    if (System.nanoTime() - trailNanos > LOOK_BACK_NANOS) {
      earliest = earlier;
      earlier = cursor;
      trailNanos = System.nanoTime();
    }
    return earliest;
  }

  private void send() {
    try {
      for (List<RawRow> rows = ahead.take(); !rows.isEmpty(); rows = ahead.take()) {
        output.send(rows);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void forget(List<RawRow> rows) {
    if (othersWrite) {
      rows.forEach(row -> deleted.add(row.id()));
    }
  }
}
