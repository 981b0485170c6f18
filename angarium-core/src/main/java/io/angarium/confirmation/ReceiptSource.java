package io.angarium.confirmation;

/**
 * A place that receipts are read from, e.g. a topic. Implemented by the modules of brokers, and by
 * others who have their receipts come another way. For {@link ReceiptReading}, which calls it from
 * one thread.
 */
@FunctionalInterface
public interface ReceiptSource {
  /**
   * Connects. Blocks.
   *
   * @throws Exception if that cannot be done now; called again after a pause
   */
  Session open() throws Exception;

  /** A connection to it. Used and closed by one thread. */
  interface Session extends AutoCloseable {
    /**
     * Waits for receipts, a second at most, gives them to {@link ReceiptIntake#taken}, and
     * acknowledges what was taken. Where a library calls back, all that is done there, and this
     * method only looks whether the connection is still there.
     *
     * @return false to be called again after a pause, as receipts were not taken or a library calls
     *     back
     * @throws Exception if the connection is of no use any more; it is closed, and another opened
     *     after a pause
     */
    boolean read() throws Exception;

    /** Disconnects, within seconds. What is not acknowledged comes again. */
    @Override
    void close();
  }
}
