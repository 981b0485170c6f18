package io.angarium.http;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** How a question for half messages is written as a request, and how its answer is read. */
interface CheckBackForm {
  /** What comes before {@code http} or {@code https} in the addresses, e.g. {@code dtm+}. */
  String prefix();

  /** How many keys go into one request. */
  int keysMax();

  /** The statuses whose body {@link #read} understands. */
  Set<Integer> statuses();

  /**
   * Asks.
   *
   * @param uri by http or https
   * @param keys of one business
   * @return without headers that all requests have
   */
  HttpRequest.Builder request(URI uri, List<HalfKey> keys);

  /**
   * The body of {@link #request}, which a signature covers; null if a question has none, so that it
   * cannot be signed.
   */
  default byte @Nullable [] body(List<HalfKey> keys) {
    return null;
  }

  /**
   * Reads the answer.
   *
   * @param status one of {@link #statuses}
   * @param body whole
   * @return one for each key, in their order
   */
  List<CheckAnswer> read(int status, String body, List<HalfKey> keys);
}
