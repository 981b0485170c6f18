package io.angarium.jdbc.internal.session;

import io.angarium.store.WriteRefusedException;
import io.angarium.store.internal.RefusedRows;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * Work on rows that a statement of its own chooses, some hundred at a time. Rows that the database
 * refuses for good are passed over, and others chosen in their place. Thread-safe.
 *
 * @param <K> what tells rows apart
 */
public final class ChosenRows<K> {
  /** The most rows read beyond the limit: they are locked. */
  private static final int BESIDES_MAX = 500;

  private final RefusedRows<K> refused;

  public ChosenRows(RefusedRows<K> refused) {
    this.refused = refused;
  }

  /** Which rows one transaction may work on. */
  public static final class Choice<K> {
    private final int besides;
    private final Predicate<K> mine;
    private final Predicate<K> later;
    private final List<K> taken = new ArrayList<>();

    private Choice(int besides, Predicate<K> mine, Predicate<K> later) {
      this.besides = besides;
      this.mine = mine;
      this.later = later;
    }

    /** Picks the rows to work on, those that were never refused first. */
    public <R> List<R> of(List<R> read, Function<R, K> key, int limit) {
      List<R> chosen =
          read.stream()
              .filter(row -> mine.test(key.apply(row)))
              .sorted(Comparator.comparing(row -> later.test(key.apply(row))))
              .limit(limit)
              .toList();
      chosen.stream().map(key).forEach(taken::add);
      return chosen;
    }

    /** How many rows to read beyond the limit, as so many may be passed over. */
    public int besides() {
      return besides;
    }
  }

  /** What is done with rows, all of them or none. */
  public interface Work<K, T> {
    T on(Connection connection, Choice<K> choice) throws SQLException;
  }

  /** Runs work as one transaction. */
  public interface Transaction<T> {
    T run(Session.Work<T> work);
  }

  /**
   * Does the work; in several transactions if the database refuses some rows.
   *
   * @return what each transaction gave that was not refused
   */
  public <T> List<T> run(Transaction<T> transaction, Work<K, T> work) {
    int besides = Math.min(refused.size(), BESIDES_MAX);
    Choice<K> all = new Choice<>(besides, key -> !refused.rests(key), refused::has);
    try {
      T done = transaction.run(connection -> work.on(connection, all));
      refused.wrote(all.taken);
      return List.of(done);
    } catch (WriteRefusedException e) {
      if (all.taken.isEmpty()) {
        throw e; // no row is to blame
      }
      List<T> done = new ArrayList<>();
      refused.write(
          all.taken,
          key -> key,
          some -> {
            Choice<K> part = new Choice<>(besides, Set.copyOf(some)::contains, key -> false);
            done.add(transaction.run(connection -> work.on(connection, part)));
          });
      return done;
    }
  }
}
