package io.angarium.server;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which producers are asked by other ways than HTTP. Immutable.
 *
 * @param grpc over gRPC
 */
public record CheckBackProperties(@DefaultValue Grpc grpc) {
  /**
   * Producers that are asked over gRPC. Immutable.
   *
   * @param allowedHosts each as {@code host:port}; none: nobody is asked
   * @param trustedCertificates a file of PEM with those who may issue the certificates of {@code
   *     grpcs} addresses; null for those that the JVM trusts
   */
  public record Grpc(
      @DefaultValue List<String> allowedHosts, @Nullable String trustedCertificates) {}
}
