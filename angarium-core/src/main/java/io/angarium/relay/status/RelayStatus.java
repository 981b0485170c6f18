package io.angarium.relay.status;

import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a relay does at one moment. Its parts are read one after the other while the relay goes on.
 * Times are by the node's clock. Immutable.
 *
 * @param node its name
 * @param incarnation tells this start of the node from others of its name
 * @param at when it was asked
 * @param startedAt when it was started; null if it was not
 * @param rest set while it takes no partitions
 * @param partitions how many it relays now; 0 while it rests or cannot reach the database
 * @param inFlight messages handed to transports whose outcome is not recorded yet
 * @param inFlightMax the most there may be
 * @param notClosed how many circuits are open, or tried with few messages
 * @param circuits those circuits, the longest first, {@link #CIRCUITS_MAX} at most
 * @param storeFailure the last failure of the database; null if there was none
 * @param fault why it does not work as it should, in a sentence; null if it does
 */
public record RelayStatus(
    String node,
    UUID incarnation,
    Instant at,
    @Nullable Instant startedAt,
    @Nullable Rest rest,
    int partitions,
    int inFlight,
    int inFlightMax,
    int notClosed,
    List<CircuitStatus> circuits,
    @Nullable StoreFailure storeFailure,
    @Nullable String fault) {
  /** The most circuits of a status. */
  public static final int CIRCUITS_MAX = 20;

  /** Copies the list. */
  public RelayStatus {
    circuits = List.copyOf(circuits);
  }

  /** True if it does what it should. */
  public boolean healthy() {
    return fault == null;
  }

  /**
   * Why a relay takes no partitions, and how long. Immutable.
   *
   * @param until when it takes partitions again
   * @param reason in a sentence
   */
  public record Rest(Instant until, String reason) {}

  /**
   * The last failure of the database, and how many there were lately. Immutable.
   *
   * @param task what was tried
   * @param text what the database said; its first line, cut to {@link #TEXT_LENGTH_MAX} characters
   * @param at when it failed
   * @param recent how many there were within {@link #RECENT_MINUTES} minutes
   */
  public record StoreFailure(String task, String text, Instant at, int recent) {
    /** The longest text. */
    public static final int TEXT_LENGTH_MAX = 200;

    /** The minutes whose failures are counted. */
    public static final int RECENT_MINUTES = 5;

    /** Cuts the text. */
    public StoreFailure {
      text = CircuitStatus.line(text, TEXT_LENGTH_MAX);
    }
  }
}
