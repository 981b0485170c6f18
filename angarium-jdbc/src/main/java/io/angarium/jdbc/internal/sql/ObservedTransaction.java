package io.angarium.jdbc.internal.sql;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Watches a transaction that only the work uses, on the way to the database, which costs no
 * statement: one that the database ends tells so by an error, after which it is asked at once. What
 * could end the transaction without an error that is seen here (a procedure, a batch, several
 * statements at once, a connection that is unwrapped) happens after the transaction was marked. One
 * thread at a time.
 */
public final class ObservedTransaction implements TransactionWatch, ShownConnection.Observer {
  /** A statement of these ends with an error if its transaction does. */
  private static final Set<String> PLAIN =
      Set.of("SELECT", "INSERT", "UPDATE", "DELETE", "REPLACE", "WITH");

  /** MySQL and MariaDB commit what was before these; as the first they lose nothing. */
  private static final Set<String> COMMITTING =
      Set.of("TRUNCATE", "CREATE", "ALTER", "DROP", "RENAME");

  private static final int WORD_LENGTH_MAX = 8;

  /** Whether the transaction is over, asked right after a failure. */
  @FunctionalInterface
  public interface Question {
    boolean isOver(Connection connection, SQLException failure) throws SQLException;
  }

  /** What tells at the end whether the transaction is the one that was marked. */
  @FunctionalInterface
  public interface Mark {
    /** Null while there is nothing to lose. */
    @Nullable TransactionWatch of(Connection connection) throws SQLException;
  }

  private final Connection connection;
  private final Question question;
  private final Mark mark;
  private final Connection shown;
  private boolean open;
  private boolean commitPrepared;
  private @Nullable TransactionWatch marked;
  private @Nullable SQLException endedBy;

  /**
   * Begins to watch.
   *
   * @param open whether it has run a statement; before the first one there is nothing to lose
   */
  public ObservedTransaction(Connection connection, boolean open, Question question, Mark mark) {
    this.connection = connection;
    this.open = open;
    this.question = question;
    this.mark = mark;
    this.shown = ShownConnection.of(connection, this);
  }

  @Override
  public Connection connection() {
    return shown;
  }

  @Override
  public boolean isMarked() {
    return marked != null;
  }

  @Override
  public void markBelow(Savepoint savepoint) {
    if (marked != null) {
      return;
    }
    mark();
    try {
      if (marked != null) {
        connection.setSavepoint(savepoint.getSavepointName()); // the same name moves it up
      }
    } catch (SQLException e) {
      endedBy = e;
    }
  }

  @Override
  public void unmark() {
    if (marked == null) {
      return;
    }
    try {
      marked.end();
    } catch (SQLException e) {
      endedBy = endedBy == null ? e : endedBy;
    }
    marked = null;
  }

  @Override
  public void end() throws SQLException {
    if (endedBy != null) {
      throw endedBy;
    }
    if (marked != null) {
      marked.end();
    }
  }

  @Override
  public void before(Object target, String method, Object @Nullable [] arguments) {
    if (isDoubtful(target, method, arguments)) {
      mark();
    }
  }

  @Override
  public void returned(String method) {
    open = open || method.startsWith("execute");
  }

  @Override
  public void failed(SQLException failure) {
    if (open) {
      ask(failure);
    }
  }

  private boolean isDoubtful(Object target, String method, Object @Nullable [] arguments) {
    if (arguments != null && arguments[0] instanceof String text && runs(method)) {
      return !isOneOf(PLAIN, text) && !commitsNothing(method, text);
    }
    return target instanceof Connection
        ? !leavesTransaction(method, arguments)
        : method.equals("unwrap")
            || (runs(method) && (method.endsWith("Batch") || (commitPrepared && open)));
  }

  /** It may run later, and again, if it is prepared only. */
  private boolean commitsNothing(String method, String text) {
    boolean first = !open && isOneOf(COMMITTING, text);
    commitPrepared = commitPrepared || (first && method.equals("prepareStatement"));
    return first;
  }

  private static boolean runs(String method) {
    return method.startsWith("execute") || method.equals("prepareStatement");
  }

  /**
   * Whether a method of the connection leaves the transaction alone. Going back to a savepoint of
   * the work does; setting one comes later.
   */
  private static boolean leavesTransaction(String method, Object @Nullable [] arguments) {
    return method.startsWith("get")
        || (method.startsWith("is") && !method.equals("isValid")) // hides what it learns
        || method.startsWith("create")
        || switch (method) {
          case "rollback" -> arguments != null;
          case "releaseSavepoint", "nativeSQL", "clearWarnings", "hashCode", "toString" -> true;
          default -> false;
        };
  }

  /** One statement, and none that runs others. */
  private static boolean isOneOf(Set<String> words, String text) {
    String begin = text.stripLeading();
    int end = 0;
    while (end < begin.length()
        && end <= WORD_LENGTH_MAX
        && Character.isLetter(begin.charAt(end))) {
      end++;
    }
    return words.contains(begin.substring(0, end).toUpperCase(Locale.ROOT))
        && text.indexOf(';') < 0;
  }

  /** What fails here fails the end, not the work: that may have nothing to lose. */
  private void mark() {
    if (marked != null || endedBy != null) {
      return;
    }
    try {
      marked = mark.of(connection);
    } catch (SQLException e) { // perhaps as the first to learn that this one is over
      endedBy = e;
    }
  }

  /** A statement that is wrong, or not allowed, has not begun. */
  private static boolean isHarmless(SQLException failure) {
    return String.valueOf(failure.getSQLState()).startsWith("42");
  }

  private void ask(SQLException failure) {
    if (endedBy != null || isHarmless(failure)) {
      return;
    }
    try {
      if (question.isOver(connection, failure)) {
        endedBy = failure;
      }
    } catch (SQLException e) {
      failure.addSuppressed(e);
      endedBy = failure;
    }
  }
}
