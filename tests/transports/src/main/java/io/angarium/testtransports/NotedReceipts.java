package io.angarium.testtransports;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.confirmation.Confirmations;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** Receipts as they come in at the producer's side; the database is away at first. Thread-safe. */
public final class NotedReceipts implements Confirmations {
  private static final long LIMIT_SECONDS = 180;

  private final Set<MessageId> noted = new HashSet<>();
  private int outages;
  private int refused;

  /** The database is away once. */
  public NotedReceipts() {
    this(1);
  }

  /** The database is away for so many calls. */
  public NotedReceipts(int outages) {
    this.outages = outages;
  }

  /** Ids that no message has. */
  public static Set<MessageId> some(int count) {
    return LongStream.rangeClosed(1, count)
        .mapToObj(n -> new MessageId(new UUID(0x7000L, n)))
        .collect(Collectors.toSet());
  }

  @Override
  public synchronized void confirm(Collection<MessageId> ids) {
    if (outages > 0) {
      outages--;
      refused++;
      notifyAll();
      throw new StoreException("The database is away", null);
    }
    noted.addAll(ids);
    notifyAll();
  }

  /** Waits until all of these have come, and no others. */
  public synchronized void await(Set<MessageId> expected) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (!noted.containsAll(expected) && System.nanoTime() < deadline) {
      TimeUnit.MILLISECONDS.timedWait(this, 100);
    }
    assertThat(noted).isEqualTo(expected);
    assertThat(outages).isZero();
  }

  /** Waits until the database was away for so many calls. */
  public synchronized void awaitRefused(int calls) throws InterruptedException {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (refused < calls) {
      assertThat(System.nanoTime())
          .as("%d of %d calls in time", refused, calls)
          .isLessThan(deadline);
      TimeUnit.MILLISECONDS.timedWait(this, 100);
    }
  }

  /** The database is there again. */
  public synchronized void isBack() {
    outages = 0;
  }

  @Override
  public Overdue settleOverdue() {
    return Overdue.NONE;
  }

  @Override
  public long unconfirmed() {
    return 0;
  }

  @Override
  public int forgetReceipts() {
    return 0;
  }
}
