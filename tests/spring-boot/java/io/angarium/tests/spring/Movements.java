package io.angarium.tests.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.Outbox;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * What listeners here do: a row and a message for each order, in one transaction, which fails the
 * first time for every fifth order. Nothing but the inbox keeps a repeat from a second row.
 */
final class Movements {
  /** The order after which nothing comes. */
  static final long LAST = 0;

  private static final long LIMIT_SECONDS = 60;

  private final JdbcTemplate jdbc;
  private final Outbox outbox;
  private final Set<Long> failed = ConcurrentHashMap.newKeySet();
  private final CountDownLatch last = new CountDownLatch(1);

  Movements(JdbcTemplate jdbc, Outbox outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  static Database in(Database database) {
    database.jdbc().execute("CREATE TABLE movement (order_id BIGINT NOT NULL)");
    return database;
  }

  static List<Long> of(Database database) {
    return database
        .jdbc()
        .queryForList("SELECT order_id FROM movement ORDER BY order_id", Long.class);
  }

  void book(byte[] order) {
    book(Long.parseLong(new String(order, UTF_8)));
  }

  void book(long order) {
    if (order == LAST) {
      TransactionSynchronizationManager.registerSynchronization(new LastCommitted());
      return;
    }
    jdbc.update("INSERT INTO movement (order_id) VALUES (?)", order);
    outbox.send(Message.of("mailbox:booked", new byte[] {1}).key("" + order));
    if (order % 5 == 0 && failed.add(order)) {
      throw new IllegalStateException("planned");
    }
  }

  /** The order may be in a batch with others. */
  private final class LastCommitted implements TransactionSynchronization {
    @Override
    public void afterCommit() {
      last.countDown();
    }
  }

  int failures() {
    return failed.size();
  }

  void awaitLast() throws InterruptedException {
    assertThat(last.await(LIMIT_SECONDS, TimeUnit.SECONDS))
        .as("the last order within %d s", LIMIT_SECONDS)
        .isTrue();
  }
}
