package io.angarium.confirmation;

import io.angarium.background.internal.RepeatingTask;
import java.time.Duration;
import java.util.Optional;

/**
 * A thread that reads receipts until it is closed, and connects anew whenever that is needed.
 * Thread-safe.
 */
public final class ReceiptReading implements AutoCloseable {
  private static final Duration RETRY_PAUSE = Duration.ofSeconds(1);

  private final ReceiptSource source;
  private final RepeatingTask rounds;

  private ReceiptReading(String transport, String address, ReceiptSource source) {
    this.source = source;
    this.rounds =
        new RepeatingTask(
            "angarium-receipts-" + transport,
            "The reading of receipts from " + transport + ":" + address,
            RETRY_PAUSE,
            this::readUntilItFails);
  }

  /**
   * Starts the thread, a daemon. While receipts cannot be read, that is tried again, and logged.
   *
   * @param transport for the log, e.g. {@code kafka}
   * @param address of the source, likewise
   */
  public static ReceiptReading start(String transport, String address, ReceiptSource source) {
    ReceiptReading reading = new ReceiptReading(transport, address, source);
    reading.rounds.start(Duration.ZERO);
    return reading;
  }

  private void readUntilItFails() throws Exception {
    if (rounds.isClosed()) {
      return;
    }
    try (ReceiptSource.Session session = source.open()) {
      while (!rounds.isClosed()) {
        if (!session.read()) {
          rounds.rest();
        }
        rounds.worked();
      }
    }
  }

  /**
   * Why no receipts are read, for a health check: the last read failed, or one does not end.
   *
   * @return empty if they are read
   */
  public Optional<String> fault() {
    return rounds.fault();
  }

  /** Ends the reading; waits five seconds at most. May be called twice. */
  @Override
  public void close() {
    rounds.close();
  }
}
