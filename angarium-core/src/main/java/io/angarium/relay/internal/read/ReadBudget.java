package io.angarium.relay.internal.read;

import io.angarium.TimeSource;
import io.angarium.relay.internal.flight.InFlightWindow;
import io.angarium.relay.internal.flight.TransportQuotas;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.store.ReadLimit;

/**
 * How much the next read may bring, so that all that is loaded fits into the window however large
 * payloads are. Of the bytes that are free new rows may take three quarters; the rest is for late
 * ones, which come while the new ones wait for them. Not thread-safe: one thread at a time.
 */
public final class ReadBudget {
  private static final int FIRST_GUESS = 16 << 10;
  private static final int CAREFUL_GUESS = 1 << 20;
  private static final int DECAY_ROWS = 32;
  private static final int NEW_SHARE = 4;
  private static final int SIDE_SHARE = 16;

  private final RelayConfig.Window window;
  private final InFlightWindow inFlight;
  private final TransportQuotas quotas;
  private final TimeSource time;
  private long expected = FIRST_GUESS;
  private long largest;
  private int seen;

  public ReadBudget(
      RelayConfig.Window window, InFlightWindow inFlight, TransportQuotas quotas, TimeSource time) {
    this.window = window;
    this.inFlight = inFlight;
    this.quotas = quotas;
    this.time = time;
  }

  /**
   * Notes the size of a row. What is read beyond the bytes is for nothing, and some databases load
   * a payload to tell its size: so rows are asked for as if the next ones were as large.
   */
  public void saw(int bytes) {
    largest = Math.max(largest, bytes);
    expected = Math.max(expected, largest);
    if (++seen == DECAY_ROWS) {
      expected = Math.max(largest, expected / 2);
      largest = 0;
      seen = 0;
    }
  }

  /** A read failed, perhaps because it was of too much: expects large rows until others come. */
  public void careful() {
    expected = Math.max(expected, CAREFUL_GUESS);
    largest = 0;
    seen = 0;
  }

  /** Rows for which there is room; 0 while the window is nearly full, so that reads stay large. */
  int rows() {
    int free = inFlight.free(expected());
    long all = Math.min(window.recordsMax(), window.bytesMax() / expected());
    boolean nearlyFull = free <= all / 10 && inFlight.size() > 0;
    int shared = quotas.free(expected(), time.nanoTime());
    return nearlyFull || shared == 0
        ? 0
        : Math.max(1, Math.min(Math.min(free, shared), window.readMax()));
  }

  /** Bytes that new rows may have. */
  long bytes() {
    return free() - free() / NEW_SHARE;
  }

  /** Bytes that late rows may have beside others that were read already. */
  long bytesBeside(long loaded) {
    return Math.max(0, free() - loaded);
  }

  /** True if no more row fits beside others; false if nothing else is in flight. */
  boolean fullBeside(long loaded) {
    return inFlight.size() > 0 && (inFlight.free(1) == 0 || bytesBeside(loaded) == 0);
  }

  /** A read for late rows, beside others that were read already. */
  ReadLimit late(long loaded, int rowsMax) {
    return limit(rowsMax, bytesBeside(loaded));
  }

  /** A read beside the one for new rows, which may be under way. */
  public ReadLimit side(int rowsMax) {
    return limit(rowsMax, free() / SIDE_SHARE);
  }

  private ReadLimit limit(int rowsMax, long bytes) {
    return new ReadLimit((int) Math.max(1, Math.min(rowsMax, bytes / expected())), bytes);
  }

  private long free() {
    return Math.max(0, inFlight.freeBytes());
  }

  private long expected() {
    return Math.max(1, expected);
  }
}
