package io.angarium.server.dtm;

import io.angarium.half.HalfMessage;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A message of dtm as a client hands it over. Immutable.
 *
 * @param gid its id
 * @param steps called one after the other; none where a client decides one that it prepared
 * @param queryPrepared where the producer is asked; null for nowhere
 * @param delay until the first step, see {@link HalfMessage#delay}
 * @param headers of the requests to the steps
 */
public record DtmMessage(
    String gid,
    List<Step> steps,
    @Nullable URI queryPrepared,
    Duration delay,
    Map<String, String> headers) {

  /**
   * One request. Immutable.
   *
   * @param action its URL
   * @param payload its body
   */
  public record Step(String action, String payload) {}
}
