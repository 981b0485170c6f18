package io.angarium.examples.consoledemo.scene;

import io.angarium.board.DelayBuckets;
import io.angarium.board.MinuteOfDestination;
import io.angarium.board.NodeBoard;
import io.angarium.board.Throughput;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;

/** What the shop sent before the demo began, so that its charts are not empty. */
public final class PastHour {
  private static final int MINUTES = 60;

  /** When a broker had trouble, and for how long. */
  private static final int TROUBLE_FROM = 22;

  private static final int TROUBLE_TO = 27;

  /** Messages in a quiet minute, and how many more there are at most. */
  private static final int QUIET = 180;

  private static final int BUSY = 90;

  private PastHour() {}

  /** Tells the minutes of the hour before. */
  public static void tell(NodeBoard board, Instant now) {
    UUID incarnation = UUID.randomUUID();
    for (int i = 1; i <= MINUTES; i++) {
      Instant minute = now.minus(Duration.ofMinutes(MINUTES + 1L - i));
      boolean trouble = i >= TROUBLE_FROM && i < TROUBLE_TO;
      board.tellMinute(
          incarnation,
          List.of(
              new MinuteOfDestination(minute, Trade.ORDERS, orders(i, trouble)),
              new MinuteOfDestination(minute, Trade.INVOICES, invoices(i))));
    }
  }

  private static Throughput orders(int minute, boolean trouble) {
    long sent = wave(minute);
    return trouble
        ? new Throughput(40, 0, 12, 0, delays(6, sent / 3))
        : new Throughput(minute % 7 == 0 ? 2 : 0, 0, 0, 0, delays(3, sent));
  }

  private static Throughput invoices(int minute) {
    return new Throughput(0, 0, 0, 0, delays(4, wave(minute + 10) / 2));
  }

  private static long wave(int minute) {
    return QUIET + Math.round(BUSY * Math.sin(minute / 7.0)) + minute * 37 % 23;
  }

  /** Most in one bucket, fewer in its neighbours. */
  private static DelayBuckets delays(int most, long sent) {
    long[] counts = new long[DelayBuckets.COUNT];
    counts[most] = sent - sent / 5 - sent / 50;
    counts[most + 1] = sent / 5;
    counts[most + 3] = sent / 50;
    return DelayBuckets.of(counts);
  }
}
