package io.angarium.grpc;

import io.angarium.half.TokenSource;
import io.grpc.CallCredentials;
import io.grpc.Metadata;
import io.grpc.Status;
import java.util.concurrent.Executor;

/** Shows the token of a source with each request. Thread-safe. */
final class BearerCredentials extends CallCredentials {
  private static final Metadata.Key<String> AUTHORIZATION =
      Metadata.Key.of("authorization", Metadata.ASCII_STRING_MARSHALLER);

  private final TokenSource source;

  BearerCredentials(TokenSource source) {
    this.source = source;
  }

  /** Gets the token on the executor and not on a network thread, as the source may block. */
  @Override
  public void applyRequestMetadata(RequestInfo request, Executor executor, MetadataApplier to) {
    try {
      executor.execute(() -> apply(to));
    } catch (RuntimeException e) {
      to.fail(missing("no thread for it", e));
    }
  }

  private void apply(MetadataApplier to) {
    try {
      Metadata headers = new Metadata();
      headers.put(AUTHORIZATION, "Bearer " + source.checked());
      to.apply(headers);
    } catch (RuntimeException e) {
      to.fail(missing(e.toString(), e));
    }
  }

  private static Status missing(String reason, Throwable cause) {
    return Status.UNAVAILABLE
        .withDescription("no token of its source, so the request was not made: " + reason)
        .withCause(cause);
  }
}
