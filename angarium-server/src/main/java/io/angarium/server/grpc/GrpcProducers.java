package io.angarium.server.grpc;

import io.angarium.grpc.GrpcCheckBackConfig;
import io.angarium.grpc.GrpcCheckBackTransport;
import io.angarium.server.settings.CheckBackProperties;
import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.File;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Makes what asks producers over gRPC as its properties say. */
public final class GrpcProducers {
  private GrpcProducers() {}

  /**
   * Opens it; asks nobody yet.
   *
   * @param timeout of a question; null for that of the config record
   * @throws IOException if the file of certificates cannot be read
   */
  static GrpcCheckBackTransport open(CheckBackProperties.Grpc given, @Nullable Duration timeout)
      throws IOException {
    GrpcCheckBackConfig config = GrpcCheckBackConfig.allowing(given.hosts());
    return GrpcCheckBackTransport.open(
        timeout == null ? config : config.timeout(timeout), credentials(given));
  }

  /** For {@code grpcs}. */
  public static ChannelCredentials credentials(CheckBackProperties.Grpc given) throws IOException {
    return given.trustedCertificates() == null
        ? TlsChannelCredentials.create()
        : TlsChannelCredentials.newBuilder()
            .trustManager(new File(given.trustedCertificates()))
            .build();
  }
}
