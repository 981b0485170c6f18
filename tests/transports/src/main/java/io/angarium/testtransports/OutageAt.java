package io.angarium.testtransports;

import io.angarium.transport.SendResult.Unavailable;
import java.util.function.Predicate;

/**
 * An outage that begins when enough messages were acknowledged and ends when some have failed since
 * then: one that ends by a clock may pass unnoticed on a machine that stalls. Happens once. Not
 * thread-safe: one thread at a time.
 */
public final class OutageAt {
  private final int count;
  private final Runnable begin;
  private final Predicate<Unavailable> noticed;
  private final Runnable end;
  private boolean begun;
  private boolean ended;

  /** One that begins at so many acknowledged messages, and ends at the first failure. */
  public OutageAt(int count, Runnable begin, Runnable end) {
    this(count, begin, failure -> true, end);
  }

  /** One that ends at the first failure for which {@code noticed} is true. */
  public OutageAt(int count, Runnable begin, Predicate<Unavailable> noticed, Runnable end) {
    this.count = count;
    this.begin = begin;
    this.noticed = noticed;
    this.end = end;
  }

  /** Messages were acknowledged, so many by now. */
  void acknowledged(int acknowledged) {
    if (!begun && acknowledged >= count) {
      begun = true;
      begin.run();
    }
  }

  /** An attempt has failed. */
  void failed(Unavailable failure) {
    if (begun && !ended && noticed.test(failure)) {
      ended = true;
      end.run();
    }
  }
}
