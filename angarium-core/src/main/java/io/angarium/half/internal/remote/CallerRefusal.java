package io.angarium.half.internal.remote;

import io.angarium.OutboxException;
import io.angarium.StoreException;
import io.angarium.half.NotPermittedException;
import io.angarium.half.internal.remote.HalfReply.Failure;
import io.angarium.half.internal.remote.HalfReply.Kind;
import java.util.List;

/** What callers are told whom a server does not let, or not any more. */
public final class CallerRefusal {
  /** What is known of the effect of a request that may have come through. */
  public static final String EFFECT_UNKNOWN =
      "; whether it took effect is unknown: repeat the call, which does no harm";

  private static final String NOTHING = "; nothing took effect";

  private CallerRefusal() {}

  /**
   * What is known of a request that a server did not take.
   *
   * @param attempt which one failed, 1 for the first: an earlier one may have come through
   */
  public static String effect(int attempt) {
    return attempt == 1 ? NOTHING : EFFECT_UNKNOWN;
  }

  /** Returns the text for a caller that the server does not know, after the server's own text. */
  public static String unknown(String told) {
    return unknown(told, 1);
  }

  /**
   * Returns the text of {@link #unknown(String)} for a request that failed at the given attempt.
   */
  public static String unknown(String told, int attempt) {
    return told
        + effect(attempt)
        + ". Check what this application shows: its API key, or what its TokenSource gives";
  }

  /**
   * Returns the text for a caller that is not allowed to do what it asked for, after the server's
   * own text.
   */
  public static String notPermitted(String told) {
    return notPermitted(told, 1);
  }

  /**
   * Returns the text of {@link #notPermitted(String)} for a request that failed at the given
   * attempt.
   */
  public static String notPermitted(String told, int attempt) {
    return told
        + effect(attempt)
        + ". Let its API key or token do so at the server, or show another one";
  }

  /**
   * The failure of such a request: as long as nothing took effect, one that is not permitted.
   *
   * @param text from above
   * @param calls the numbers of those at fault; empty if all are
   */
  public static <A> Failure<A> failure(String text, List<Integer> calls, int attempt) {
    return attempt == 1
        ? new Failure<>(Kind.NOT_PERMITTED, text, calls, null)
        : new Failure<>(Kind.FAILED, text, calls, new NotPermittedException(text));
  }

  /**
   * What is thrown if a request fails that came after others of the same calls.
   *
   * @param calls how many took effect before, at least 1
   * @param failure of the request, whose text knows nothing of those
   */
  public static StoreException after(int calls, OutboxException failure) {
    return new StoreException(
        "The first "
            + calls
            + " calls took effect; mend what the others meet, and repeat those. They met: "
            + failure.getMessage(),
        failure);
  }
}
