package io.angarium.half.decide;

import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.Verdict;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of one half message. Times come from the database's clock. Immutable.
 *
 * @param number its place in the order of the prepares
 * @param key which one
 * @param state what it has come to
 * @param destination where it is, or was, to be sent, in text form; null for a decision whose
 *     message has not come
 * @param address where its producer is asked; null for within the process
 * @param createdAt when it was prepared, or decided before that
 * @param decidedAt null while it is open
 * @param check null if its producer was never asked, or need not be any more
 */
public record HalfDetails(
    long number,
    HalfKey key,
    HalfState state,
    @Nullable String destination,
    @Nullable String address,
    Instant createdAt,
    @Nullable Instant decidedAt,
    @Nullable Check check) {
  /**
   * What asking has brought so far. Immutable.
   *
   * @param unknown how often the producer answered that it does not know
   * @param unreachable how often in a row it could not be asked
   * @param last the last answer; null if there was none yet
   * @param reason of the last answer, cut to 1000 characters; null if it had none
   * @param at when that was; null if there was none yet
   * @param nextAt when the producer is asked again; null if a person must decide
   */
  public record Check(
      int unknown,
      int unreachable,
      @Nullable Verdict last,
      @Nullable String reason,
      @Nullable Instant at,
      @Nullable Instant nextAt) {}
}
