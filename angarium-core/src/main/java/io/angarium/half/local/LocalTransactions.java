package io.angarium.half.local;

import io.angarium.half.CheckBack;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import org.jspecify.annotations.Nullable;

/**
 * Runs local transactions of one database, and finds out afterwards, from any process, what became
 * of one. A transaction and a question about it write the same row, the marker. The transaction
 * writes it as its first statement with the outcome "committed"; the question writes it with
 * "rolled back". The first of them wins, as the row has a unique key. So a transaction that was
 * once reported as rolled back can never commit.
 *
 * <p>Markers must be kept longer than anybody may ask: without its marker a committed transaction
 * is reported as rolled back.
 *
 * <p>An exception of {@link #run} other than {@link OutcomeUnknownException} means that the
 * transaction has not committed and never will. Implementations must pass {@code
 * LocalTransactionsTck} of angarium-testkit. Methods that are added will have a default.
 * Thread-safe.
 *
 * @param <C> what gives access to a transaction, e.g. a JDBC connection
 */
public interface LocalTransactions<C> {
  /**
   * Runs work in a transaction of its own that begins with the marker, and commits. Blocks.
   *
   * @param marker used by no other transaction
   * @return the result of the work
   * @throws X what the work threw; the transaction is rolled back
   * @throws MarkerTakenException if the marker was there: this transaction was asked for before and
   *     reported as rolled back, or the marker is not new. The work was not called
   * @throws OutcomeUnknownException if the commit itself failed: only {@link #check} tells later
   *     what became of it
   * @throws io.angarium.StoreException if the database cannot be reached, refuses, or has ended the
   *     transaction in the middle of the work; it is rolled back
   */
  <T extends @Nullable Object, X extends Exception> T run(Marker marker, LocalWork<C, T, X> work)
      throws X;

  /**
   * Finds out what became of a transaction. One that was never begun, or whose marker is not
   * written yet, is ruled out by this: it cannot commit any more. Waits for an open transaction a
   * second or two at most. Does not throw for a database that is away.
   */
  Verdict check(Marker marker);

  /**
   * Answers check-backs of half messages by {@link #check}, for markers of the same business and
   * key. Where several are cheaper in one question, they are asked so.
   */
  default CheckBack checkBack() {
    return key -> check(new Marker(key.business(), key.key()));
  }
}
