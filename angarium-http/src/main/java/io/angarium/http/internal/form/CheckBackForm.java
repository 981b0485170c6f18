package io.angarium.http.internal.form;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import java.net.URI;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Set;

/** How a question for half messages is written as a request, and how its answer is read. */
public interface CheckBackForm {
  /** What comes before {@code http} or {@code https} in the addresses, e.g. {@code dtm+}. */
  String prefix();

  /** How many keys go into one request. */
  int keysMax();

  /** The statuses whose body {@link #read} understands. */
  Set<Integer> statuses();

  /** What a question has as its body, which a signature covers; empty for a GET. */
  default byte[] body(List<HalfKey> keys) {
    return new byte[0];
  }

  /**
   * Asks.
   *
   * @param uri by http or https
   * @param keys of one business
   * @param body of these keys, as {@link #body} has it
   * @return without headers that all requests have
   */
  HttpRequest.Builder request(URI uri, List<HalfKey> keys, byte[] body);

  /**
   * Reads the answer.
   *
   * @param status one of {@link #statuses}
   * @param body whole
   * @return one for each key, in their order
   */
  List<CheckAnswer> read(int status, String body, List<HalfKey> keys);
}
