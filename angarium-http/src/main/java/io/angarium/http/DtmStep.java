package io.angarium.http;

import java.util.Locale;
import java.util.Set;

/**
 * What a message must have so that {@link HttpTransport#dtm} can call a step of dtm with it: its
 * headers. The payload is the body; the destination is {@code dtm:} and the URL of the step.
 */
public final class DtmStep {
  /** The name of the transport. */
  public static final String TRANSPORT = "dtm";

  /** Header with the id of the global transaction. */
  public static final String GID = "dtm-gid";

  /** Header with the number of the step, from {@code 01} on. */
  public static final String BRANCH = "dtm-branch";

  /** What is before the name of a header that the request is to have. */
  public static final String HEADER_PREFIX = "dtm-header-";

  /**
   * Headers of the connection. A message that sets one of them could hide a second request in the
   * body of the first.
   */
  private static final Set<String> OF_THE_CONNECTION =
      Set.of(
          "connection",
          "content-length",
          "expect",
          "host",
          "keep-alive",
          "te",
          "trailer",
          "transfer-encoding",
          "upgrade");

  private DtmStep() {}

  /** Whether the request to a step may have a header of this name. */
  public static boolean mayBeHeader(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return !OF_THE_CONNECTION.contains(lower) && !lower.startsWith("proxy-");
  }
}
