package io.angarium.grpc;

import io.angarium.ConfigFaults;
import io.angarium.ConfigurationException;
import io.grpc.ChannelCredentials;
import io.grpc.Grpc;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where a server of half messages is over gRPC, and how it is told from others. Start with {@link
 * #of} and change parts, each giving a copy. Immutable.
 *
 * @param address {@code grpcs://host:port}, or {@code grpc://host:port} without TLS
 * @param trustedCertificates a file of PEM with whom to trust; null for whom the JVM trusts
 * @param certificate a file of PEM with the chain of this client, for a server that wants one; null
 *     for none
 * @param privateKey a file of PEM with its key, in PKCS#8; null for none
 */
public record GrpcHalfServer(
    String address,
    @Nullable Path trustedCertificates,
    @Nullable Path certificate,
    @Nullable Path privateKey) {
  private static final String PREFIX = "half.grpc.";

  /**
   * Checks the form of everything; the files are read when it is opened, or by {@link #checkFiles}.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public GrpcHalfServer {
    Optional<CheckBackAddress> parsed = parsed(address);
    boolean secure = parsed.isEmpty() || parsed.get().secure();
    String expected = "none without grpcs:// before the server";
    new ConfigFaults()
        .require(
            parsed.isPresent(),
            PREFIX + "server",
            address.contains("@") ? "a text with an @" : "'" + address + "'",
            "grpcs://host:port, or grpc://host:port without TLS")
        .require(
            secure || trustedCertificates == null,
            PREFIX + "trusted-certificates",
            trustedCertificates,
            expected)
        .require(secure || certificate == null, PREFIX + "certificate", certificate, expected)
        .require(
            (certificate == null) == (privateKey == null),
            PREFIX + "certificate",
            certificate == null ? "none" : certificate,
            "a file, and private-key, too")
        .throwIfAny();
  }

  /** One without files. */
  public static GrpcHalfServer of(String address) {
    return new GrpcHalfServer(address, null, null, null);
  }

  /** A copy that trusts others; null for whom the JVM trusts. */
  public GrpcHalfServer trusting(@Nullable Path trustedCertificates) {
    return new GrpcHalfServer(address, trustedCertificates, certificate, privateKey);
  }

  /** A copy that shows a certificate. */
  public GrpcHalfServer showing(Path certificate, Path privateKey) {
    return new GrpcHalfServer(address, trustedCertificates, certificate, privateKey);
  }

  private static Optional<CheckBackAddress> parsed(String address) {
    try {
      return CheckBackAddress.parse(new URI(address));
    } catch (URISyntaxException e) {
      return Optional.empty();
    }
  }

  /**
   * Reads the files, as only that tells whether they are certificates and a key.
   *
   * @throws io.angarium.ConfigurationException if one cannot be read or is none
   */
  public void checkFiles() {
    var unused = credentials();
  }

  /** Connects to nobody yet. */
  ManagedChannel channel() {
    return Grpc.newChannelBuilder(parsed(address).orElseThrow().target(), credentials())
        .disableServiceConfigLookUp()
        .userAgent("Angarium")
        .build();
  }

  private ChannelCredentials credentials() {
    if (!parsed(address).orElseThrow().secure()) {
      return InsecureChannelCredentials.create();
    }
    try {
      TlsChannelCredentials.Builder tls = TlsChannelCredentials.newBuilder();
      if (trustedCertificates != null) {
        tls.trustManager(trustedCertificates.toFile());
      }
      if (certificate != null && privateKey != null) {
        tls.keyManager(certificate.toFile(), privateKey.toFile());
      }
      ChannelCredentials credentials = tls.build();
      var unused = Grpc.newChannelBuilder("dns:///localhost:1", credentials); // looks into them
      return credentials;
    } catch (IOException | RuntimeException e) {
      throw unreadable(e);
    }
  }

  private ConfigurationException unreadable(Exception cause) {
    List<Path> files =
        Stream.of(trustedCertificates, certificate, privateKey).filter(Objects::nonNull).toList();
    return new ConfigurationException(
        List.of(
            "%s%s: %s (expected: files of PEM with certificates, and a key in PKCS#8; %s)"
                .formatted(
                    PREFIX,
                    certificate == null ? "trusted-certificates" : "certificate",
                    files,
                    cause)));
  }
}
