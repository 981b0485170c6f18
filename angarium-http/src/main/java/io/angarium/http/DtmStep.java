package io.angarium.http;

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

  private DtmStep() {}
}
