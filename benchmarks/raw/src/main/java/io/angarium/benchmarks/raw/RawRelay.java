package io.angarium.benchmarks.raw;

import io.angarium.benchmarks.arm.Sender;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * The best loop we can write by hand for one process without leases, retries or dead letters: one
 * thread reads from a cursor, it sends without waiting, another thread deletes exact ids in
 * batches. Order per key holds while nothing fails.
 *
 * <p>While others write, it looks back over the last seconds before it sends what it read, since
 * ids are handed out before transactions commit; a row that becomes visible later than that is
 * never sent. Over a backlog that nobody adds to, it saves itself that.
 */
final class RawRelay {
  private static final int READ = 2_000;
  private static final int DELETE = 1_000;
  private static final int IN_FLIGHT = 20_000;
  private static final long LOOK_BACK_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final String COLUMNS = "SELECT id, message_key, payload FROM raw_outbox ";

  private final DataSource dataSource;
  private final RawTable table;
  private final Sender sender;
  private final boolean othersWrite;
  private final Semaphore window = new Semaphore(IN_FLIGHT);
  private final Set<Long> inFlight = new HashSet<>();
  private final Queue<Long> deleted = new ConcurrentLinkedQueue<>();
  private final BlockingQueue<Long> acknowledged = new LinkedBlockingQueue<>();
  private final Thread reading = new Thread(this::read, "raw-read");
  private final Thread deleting = new Thread(this::delete, "raw-delete");
  private volatile @Nullable Throwable failed;
  private final CountDownLatch stop = new CountDownLatch(1);

  private long cursor;
  private long earlier;
  private long earliest;
  private long trailNanos = System.nanoTime();

  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Row(long id, @Nullable String key, byte[] payload) {
    static Row of(ResultSet rows) throws SQLException {
      return new Row(rows.getLong(1), rows.getString(2), rows.getBytes(3));
    }
  }

  RawRelay(DataSource dataSource, RawTable table, Sender sender, boolean othersWrite) {
    this.dataSource = dataSource;
    this.table = table;
    this.sender = sender;
    this.othersWrite = othersWrite;
  }

  void start() {
    reading.start();
    deleting.start();
  }

  /** Returns when everything that was read is acknowledged and deleted. */
  void stop() throws InterruptedException {
    stop.countDown();
    reading.join();
    if (!window.tryAcquire(IN_FLIGHT, 30, TimeUnit.SECONDS)) {
      throw new IllegalStateException("not everything was acknowledged within 30 s", failed);
    }
    deleting.interrupt();
    deleting.join();
  }

  private void read() {
    try (Connection connection = dataSource.getConnection();
        PreparedStatement next =
            connection.prepareStatement(COLUMNS + "WHERE id > ? ORDER BY id LIMIT " + READ);
        PreparedStatement back =
            connection.prepareStatement(COLUMNS + "WHERE id > ? AND id <= ? ORDER BY id")) {
      boolean stopped = false;
      while (!stopped) {
        boolean found = othersWrite ? lookTwice(next, back) : look(next);
        stopped = stop.await(found ? 0 : 1, TimeUnit.MILLISECONDS);
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean look(PreparedStatement next) throws SQLException, InterruptedException {
    long before = cursor;
    next.setLong(1, cursor);
    try (ResultSet rows = next.executeQuery()) {
      while (rows.next()) {
        Row row = Row.of(rows);
        cursor = row.id();
        send(row);
      }
    }
    return cursor > before;
  }

  /** Sends late rows before new ones, so that none of a key is overtaken. */
  private boolean lookTwice(PreparedStatement next, PreparedStatement back)
      throws SQLException, InterruptedException {
    for (Long id = deleted.poll(); id != null; id = deleted.poll()) { // no read can show it now
      inFlight.remove(id);
    }
    next.setLong(1, cursor);
    List<Row> fresh = rows(next);
    back.setLong(1, trail());
    back.setLong(2, cursor);
    for (Row row : rows(back)) {
      if (inFlight.add(row.id())) {
        send(row);
      }
    }
    for (Row row : fresh) {
      cursor = row.id();
      inFlight.add(row.id());
      send(row);
    }
    return !fresh.isEmpty();
  }

  private static List<Row> rows(PreparedStatement select) throws SQLException {
    List<Row> found = new ArrayList<>();
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        found.add(Row.of(rows));
      }
    }
    return found;
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

  private void send(Row row) throws InterruptedException {
    window.acquire();
    sender.send(
        row.key(),
        row.payload(),
        failure -> {
          if (failure == null) {
            acknowledged.add(row.id());
          } else {
            failed = failure;
          }
        });
  }

  private void delete() {
    List<Long> batch = new ArrayList<>(DELETE);
    try (Connection connection = dataSource.getConnection()) {
      while (true) {
        batch.add(acknowledged.take());
        acknowledged.drainTo(batch, DELETE - 1);
        table.delete(connection, batch);
        if (othersWrite) {
          deleted.addAll(batch);
        }
        window.release(batch.size());
        batch.clear();
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) { // stopped, with nothing left to delete
      Thread.currentThread().interrupt();
    }
  }
}
