package io.angarium.alert;

import io.angarium.StoreException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The alerts of one database, and which node looks for them now. All methods block, commit before
 * they return, and throw {@link StoreException} if the database cannot be reached. Implementations
 * must pass the contract suite {@code AlertTck}. Thread-safe.
 */
public interface AlertStore {
  /** The most alerts that are kept; a rule that finds more is cut. */
  int ALERTS_MAX = 1_000;

  /**
   * A turn of looking.
   *
   * @param token tells it from others
   * @param now the database's clock
   */
  record Turn(long token, Instant now) {}

  /**
   * What a round of looking begins with.
   *
   * @param alerts all alerts, {@link #ALERTS_MAX} at most
   * @param told what channels were told of them
   */
  record Known(List<Alert> alerts, List<Told> told) {
    /** Copies the lists. */
    public Known {
      alerts = List.copyOf(alerts);
      told = List.copyOf(told);
    }
  }

  /**
   * Takes the turn, or goes on with it, for a while. A turn that has ended, or was given back, is
   * followed by another one with another token, also for the same node.
   *
   * @param node who wants it
   * @param lease how long, unless it goes on
   * @return null if another node has it
   */
  @Nullable Turn begin(String node, Duration lease);

  /** Gives the turn back, if the node has it. */
  void end(String node);

  /** All alerts, {@link #ALERTS_MAX} at most. */
  List<Alert> alerts();

  /** All alerts and what channels were told of them. */
  Known known();

  /**
   * Writes alerts in the state given, and deletes others, unless the turn was lost. Leaves {@link
   * Alert#taken} as it is in the database for one that is on, and clears it for others.
   *
   * @return false if the turn was lost; nothing was written then
   */
  boolean save(Turn turn, Collection<Alert> changed, Collection<AlertKey> deleted);

  /** What channels were told. */
  List<Told> told();

  /** Notes what a channel was told just now. Notes of alerts that are gone are passed over. */
  void note(Collection<Told> told);

  /** Silences that have not ended, by their ends. */
  List<Silence> silences();
}
