package io.angarium.server;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which producers are asked by other ways than HTTP. Immutable.
 *
 * @param grpc over gRPC
 * @param dubbo over Dubbo
 */
public record CheckBackProperties(@DefaultValue Grpc grpc, @DefaultValue Dubbo dubbo) {
  /**
   * Producers that are asked over gRPC. Immutable.
   *
   * @param allowedHosts each as {@code host:port}; none: nobody is asked
   * @param trustedCertificates a file of PEM with those who may issue the certificates of {@code
   *     grpcs} addresses; null for those that the JVM trusts
   */
  public record Grpc(
      @DefaultValue List<String> allowedHosts, @Nullable String trustedCertificates) {}

  /**
   * Producers that are asked over Dubbo. Immutable.
   *
   * @param allowedAddresses each as {@code dubbo://host:port}, {@code tri://host:port} or {@code
   *     zookeeper://host:port}; none: nobody is asked
   * @param application how registries and producers know the server
   */
  public record Dubbo(
      @DefaultValue List<String> allowedAddresses,
      @DefaultValue("angarium-server") String application) {}
}
