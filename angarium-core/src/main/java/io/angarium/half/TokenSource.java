package io.angarium.half;

/**
 * Gives what a client shows to the server of half messages, e.g. a token of an OAuth2 issuer. It is
 * asked for each request, so that a token which ends is exchanged in time.
 *
 * <p>Give one that is good for a minute at least, as the request takes its time: so remember a
 * token and fetch the next one shortly before it ends, as the libraries for clients of OAuth2 do.
 *
 * <p>Must be thread-safe: requests are made by several threads. May block; calls wait for as long,
 * over HTTP beyond the time-out of the client, so an implementation has one of its own. Must not
 * make calls of the same client.
 */
@FunctionalInterface
public interface TokenSource {
  /** Characters of a token at most. */
  int LENGTH_MAX = 16_384;

  /**
   * What to show now, as it stands behind {@code Bearer}: printable ASCII without spaces.
   *
   * <p>Whatever this throws, an {@link Error} as well, fails the calls of the request with a {@link
   * io.angarium.StoreException} that has it among its causes: they were not made, and may be
   * repeated. A token that the server refuses fails them with a {@link NotPermittedException}.
   */
  String token();

  /**
   * The token, if it has the form that every client can send; for clients.
   *
   * @throws IllegalStateException if it has not; or if the source threw an error, or, being written
   *     in another language than Java, a checked exception; a thread that was interrupted stays so
   * @throws RuntimeException of the source
   */
  @SuppressWarnings("CatchingUnchecked") // requests travel together: their calls end with a reply
  default String checked() {
    String given;
    try {
      given = token();
    } catch (RuntimeException e) {
      throw e;
    } catch (Throwable e) {
      if (e instanceof InterruptedException) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("the thread was interrupted while it asked the source", e);
      }
      throw new IllegalStateException("the source threw " + e + "; repair it", e);
    }
    boolean fits =
        given != null
            && !given.isEmpty()
            && given.length() <= LENGTH_MAX
            && given.chars().allMatch(c -> c > ' ' && c <= '~');
    if (!fits) {
      throw new IllegalStateException(
          "the source gave something else (expected: 1..%d printable ASCII characters)"
              .formatted(LENGTH_MAX));
    }
    return given;
  }
}
