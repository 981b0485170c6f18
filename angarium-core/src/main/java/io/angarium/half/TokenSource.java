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
  /**
   * What to show now, as it stands behind {@code Bearer}: printable ASCII without spaces.
   *
   * <p>Whatever this throws fails the calls of the request with a {@link
   * io.angarium.store.StoreException} that has it as its cause: they were not made, and may be
   * repeated.
   */
  String token();
}
