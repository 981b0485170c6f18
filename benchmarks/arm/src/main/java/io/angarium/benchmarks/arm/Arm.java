package io.angarium.benchmarks.arm;

import java.util.List;

/**
 * One way of doing the same work: commit messages together with a business row, and send them.
 * Lives in a JVM of its own. {@link #transact} is thread-safe, the rest is called by one thread at
 * a time.
 */
public interface Arm extends AutoCloseable {
  /** A count that nobody keeps. */
  long NOT_COUNTED = Long.MAX_VALUE;

  /** Opens an arm. */
  @FunctionalInterface
  interface Opener {
    /** Opens the arm on an empty database, its tables created, its relay not started. */
    Arm open(ArmSettings settings) throws Exception;
  }

  /**
   * Commits one transaction: the row of the business ({@link BusinessTable#insert}), and the
   * messages. Blocks until it is committed, and no longer.
   *
   * @throws Exception if it was not committed
   */
  void transact(long businessId, List<Outgoing> messages) throws Exception;

  /** Begins to send what is committed. */
  void start() throws Exception;

  /** Stops sending once what the broker has acknowledged is settled in the database. */
  void stop() throws Exception;

  /** Messages the broker has acknowledged since the arm was opened. Thread-safe. */
  long sent();

  /**
   * Attempts to send that the broker has not acknowledged, though it may have taken the message:
   * each may lead to a duplicate. Thread-safe.
   *
   * @return {@link #NOT_COUNTED} if the arm does not count them
   */
  default long unacknowledged() {
    return NOT_COUNTED;
  }

  /** Messages that are committed and not settled: rows still to be sent. */
  long left() throws Exception;

  @Override
  void close();
}
