package io.angarium.server.settings;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Which producers are asked by other ways than HTTP. Immutable.
 *
 * @param grpc over gRPC
 * @param dubbo over Dubbo
 */
public record CheckBackProperties(@DefaultValue Grpc grpc, @DefaultValue Dubbo dubbo) {
  /** In the place of a business id. */
  private static final String ANY = "*";

  /**
   * Producers that are asked over gRPC. Immutable.
   *
   * @param allowedHosts for all businesses, each as {@code host:port}
   * @param allowedHostsOf likewise for some, by their ids, perhaps with {@code *} for any
   *     characters; none in both: nobody is asked
   * @param trustedCertificates a file of PEM with those who may issue the certificates of {@code
   *     grpcs} addresses; null for those that the JVM trusts
   */
  public record Grpc(
      @DefaultValue List<String> allowedHosts,
      @DefaultValue Map<String, List<String>> allowedHostsOf,
      @Nullable String trustedCertificates) {
    /** By business. */
    public Map<String, Set<String>> hosts() {
      return byBusiness(allowedHosts, allowedHostsOf);
    }
  }

  /**
   * Producers that are asked over Dubbo. Immutable.
   *
   * @param allowedAddresses for all businesses, each as {@code dubbo://host:port}, {@code
   *     tri://host:port} or {@code zookeeper://host:port}
   * @param allowedAddressesOf likewise for some, by their ids, perhaps with {@code *} for any
   *     characters; none in both: nobody is asked
   * @param application how registries and producers know the server
   */
  public record Dubbo(
      @DefaultValue List<String> allowedAddresses,
      @DefaultValue Map<String, List<String>> allowedAddressesOf,
      @DefaultValue("angarium-server") String application) {
    /** By business. */
    public Map<String, Set<String>> addresses() {
      return byBusiness(allowedAddresses, allowedAddressesOf);
    }
  }

  /** Returns the entries for all businesses, unless there are none, and the entries for some. */
  private static Map<String, Set<String>> byBusiness(
      List<String> forAll, Map<String, List<String>> forSome) {
    Map<String, Set<String>> all = new HashMap<>();
    if (!forAll.isEmpty()) {
      all.put(ANY, new HashSet<>(forAll));
    }
    forSome.forEach(
        (business, some) -> all.computeIfAbsent(business, any -> new HashSet<>()).addAll(some));
    return all;
  }
}
