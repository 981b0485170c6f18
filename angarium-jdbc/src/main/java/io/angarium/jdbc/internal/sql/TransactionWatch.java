package io.angarium.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import org.jspecify.annotations.Nullable;

/** Tells at the end of some work whether its transaction still is the one that began it. */
@FunctionalInterface
public interface TransactionWatch {
  /** What the work is given; null for the connection itself. */
  default @Nullable Connection connection() {
    return null;
  }

  /** Whether a mark of its own stands in the transaction, which goes with an older savepoint. */
  default boolean isMarked() {
    return false;
  }

  /**
   * Sets the mark, if none stands, below a savepoint that was set behind the watch right before:
   * the release of an older savepoint would take the mark along. Never throws.
   */
  default void markBelow(Savepoint savepoint) {}

  /** Checks the mark and removes it; the next doubt sets another one. Never throws. */
  default void unmark() {}

  /**
   * Ends it.
   *
   * @throws SQLException if it is another one, if it cannot commit, or this cannot be told
   */
  void end() throws SQLException;
}
