package io.angarium.half.local;

import org.jspecify.annotations.Nullable;

/**
 * What the application does in a local transaction.
 *
 * @param <C> what gives access to the transaction, e.g. a JDBC connection
 * @param <T> what it results in
 * @param <X> what it may throw
 */
@FunctionalInterface
public interface LocalWork<C, T extends @Nullable Object, X extends Exception> {
  /**
   * Does it. Must not commit, roll back or close the transaction.
   *
   * @return any result, may be null
   * @throws X to roll the transaction back
   */
  T in(C transaction) throws X;
}
