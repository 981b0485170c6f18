package io.angarium.testkit.tck;

import io.angarium.inbox.Inbox;
import java.util.List;

/**
 * One implementation of {@link Inbox} under test, on a database that knows no key. The suite closes
 * it after the test.
 *
 * @param <C> what gives access to a transaction
 */
public interface InboxFixture<C> extends AutoCloseable {
  /** What is tested; the same at every call. Serves at least 8 threads at once. */
  Inbox<C> inbox();

  /** The same database as another process would have it. */
  Inbox<C> another();

  /** The same database, by an inbox that waits for another delivery 2 seconds at most. */
  Inbox<C> impatient();

  /**
   * Whether the note and the work are one transaction, so that failed work leaves nothing. Where
   * they are not, the lines of failed work are expected to stay: each exactly once.
   */
  default boolean undoesFailedWork() {
    return true;
  }

  /**
   * Whether deliveries of batches with the same keys only wait for each other, however many there
   * are. Then none of those whose work succeeds may be ended, as the victim of a deadlock for
   * example.
   */
  default boolean batchesOnlyWait() {
    return false;
  }

  /** Writes a line in a transaction that is open. */
  void write(C transaction, String line);

  /**
   * Lets a statement of an open transaction fail, e.g. by a key that is taken, and swallows the
   * error. Does nothing where there are no statements.
   */
  default void swallowError(C transaction) {}

  /** The lines that stay: of transactions that have committed, or of all work; in any order. */
  List<String> written();

  /** Frees what the fixture holds. */
  @Override
  void close();
}
