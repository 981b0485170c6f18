package io.angarium.half.check;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * Carries a check-back to the producer over one protocol, e.g. HTTP. Each protocol has one
 * implementation, and a new protocol needs a new one. Methods that are added will have a default.
 * Thread-safe.
 */
public interface CheckBackTransport extends AutoCloseable {
  /** The schemes of the addresses it asks, in lower case, e.g. {@code http}, {@code https}. */
  Set<String> schemes();

  /** How many keys one question may have, at least 1. */
  int keysMax();

  /**
   * Why an address must not be asked, so that a half message with it can be refused when it comes.
   * Does not block.
   *
   * @param business the business id of the half message
   * @return for people, with what to do; empty if it may be asked
   */
  default Optional<String> refusal(String business, URI address) {
    return Optional.empty();
  }

  /**
   * What answers at an address, and perhaps at others: all addresses of one origin together are
   * asked as much as one of them may be, and rest together when nothing comes back. Does not block.
   *
   * @return unless the transport knows better, the last part of the scheme, host and port, e.g.
   *     {@code http://shop:8080} of {@code dtm+http://shop:8080/check?order=1}
   */
  default String origin(URI address) {
    String scheme = String.valueOf(address.getScheme());
    String last = scheme.substring(scheme.lastIndexOf('+') + 1);
    String place =
        address.getHost() == null
            ? String.valueOf(address.getRawAuthority())
            : address.getHost() + (address.getPort() < 0 ? "" : ":" + address.getPort());
    return (last + "://" + place).toLowerCase(Locale.ROOT);
  }

  /**
   * Asks a producer. Does not block, never throws, and answers in a bounded time: whatever goes
   * wrong is {@link Verdict#UNREACHABLE} with a reason.
   *
   * @param address with one of {@link #schemes}
   * @param keys of one business, 1..{@link #keysMax}
   * @return an answer for each key, in their order; never completed with an exception
   */
  CompletionStage<List<CheckAnswer>> ask(URI address, List<HalfKey> keys);

  /** Frees connections; what is under way is unreachable. May be called twice. */
  @Override
  void close();
}
