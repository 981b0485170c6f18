package io.angarium.server.grpc;

import io.angarium.server.settings.GrpcProperties;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.TlsServerCredentials.ClientAuth;
import io.grpc.netty.NettyServerBuilder;
import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Makes the server of gRPC as its properties say. */
public final class GrpcServing {
  /** Clients open the next one by themselves, and streams under way end first. */
  private static final Duration IDLE_MAX = Duration.ofMinutes(5);

  private static final Duration AGE_MAX = Duration.ofHours(1);

  /** Tokens with many roles are long. */
  private static final int METADATA_BYTES_MAX = 32 << 10;

  /** What a connection may send before it is read; as much memory it can take. */
  private static final int WINDOW_BYTES = 256 << 10;

  /** The shortest time between pings of a client, which some send where nothing is under way. */
  private static final Duration KEEP_ALIVE_MIN = Duration.ofSeconds(9);

  private static final Duration HANDSHAKE_MAX = Duration.ofSeconds(10);

  private GrpcServing() {}

  /**
   * One that listens at nothing yet.
   *
   * @throws IOException if a file cannot be read
   * @throws RuntimeException of gRPC, if what is in the files is no certificate or key
   */
  public static NettyServerBuilder builder(GrpcProperties given) throws IOException {
    return builder(given, IDLE_MAX, AGE_MAX);
  }

  /**
   * Returns a builder of a server that listens at nothing yet, with other limits of a connection.
   *
   * @param idleMax how long a connection may last without requests, at least a second
   * @param ageMax how long a connection may last, at least a second
   * @throws IOException if a file cannot be read
   * @throws RuntimeException of gRPC, if what is in the files is no certificate or key
   */
  public static NettyServerBuilder builder(GrpcProperties given, Duration idleMax, Duration ageMax)
      throws IOException {
    return NettyServerBuilder.forAddress(
            new InetSocketAddress(given.host(), given.port()), credentials(given))
        .maxInboundMessageSize((int) given.requestMax().toBytes())
        .maxInboundMetadataSize(METADATA_BYTES_MAX)
        .flowControlWindow(WINDOW_BYTES)
        .handshakeTimeout(HANDSHAKE_MAX.toSeconds(), TimeUnit.SECONDS)
        .permitKeepAliveTime(KEEP_ALIVE_MIN.toSeconds(), TimeUnit.SECONDS)
        .permitKeepAliveWithoutCalls(true)
        .maxConcurrentCallsPerConnection(given.requests())
        .maxConnectionIdle(idleMax.toSeconds(), TimeUnit.SECONDS)
        .maxConnectionAge(ageMax.toSeconds(), TimeUnit.SECONDS);
  }

  private static ServerCredentials credentials(GrpcProperties given) throws IOException {
    if (given.certificate() == null || given.privateKey() == null) {
      return InsecureServerCredentials.create();
    }
    TlsServerCredentials.Builder tls =
        TlsServerCredentials.newBuilder()
            .keyManager(new File(given.certificate()), new File(given.privateKey()));
    if (given.clientCertificates() != null) {
      tls.trustManager(new File(given.clientCertificates())).clientAuth(ClientAuth.REQUIRE);
    }
    return tls.build();
  }
}
