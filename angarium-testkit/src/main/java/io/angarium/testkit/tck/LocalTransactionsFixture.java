package io.angarium.testkit.tck;

import io.angarium.half.local.LocalTransactions;
import java.util.List;

/**
 * One implementation of {@link LocalTransactions} under test, on a database without markers. The
 * suite closes it after the test.
 *
 * @param <C> what gives access to a transaction
 */
public interface LocalTransactionsFixture<C> extends AutoCloseable {
  /** What is tested; the same at every call. */
  LocalTransactions<C> local();

  /** The same database as another process would have it. */
  LocalTransactions<C> another();

  /** Writes a line in a transaction that is open. */
  void write(C transaction, String line);

  /** The lines of transactions that have committed, in any order. */
  List<String> written();

  /** Frees what the fixture holds. */
  @Override
  void close();
}
