package io.angarium.spring.autoconfigure.internal.mapping;

import static io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping.bytes;
import static io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping.or;

import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.KafkaConfig.Compression;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.spring.autoconfigure.internal.details.KafkaDefaults;
import io.angarium.spring.autoconfigure.internal.details.SharedTls;
import io.angarium.spring.settings.AngariumProperties;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.util.unit.DataSize;

/** Maps the properties of Kafka; apart, because the Kafka module need not be present. */
public final class KafkaMapping {
  private static final String BUNDLE = "spring.kafka.ssl.bundle";
  private static final String SERVERS = "localhost:9092";
  private static final long WINDOW_MAX = 1L << 30;

  private KafkaMapping() {}

  /** Returns mappings as checks; each mapping checks different properties. */
  public static List<Runnable> checks(AngariumProperties properties, KafkaDefaults spring) {
    AngariumProperties.Kafka given = properties.kafka();
    KafkaSharing sharing = new KafkaSharing(given, spring);
    return List.of(
        sharing::check,
        () -> SharedTls.context(BUNDLE, sharing.usesBundle() ? spring.bundle() : null),
        () -> MissingAddress.KAFKA.required(sharing.servers()),
        // Missing servers have a fault of their own.
        () -> kafka(properties, serversOr(sharing, SERVERS), sharing.properties(), null));
  }

  public static KafkaConfig kafka(AngariumProperties properties, KafkaDefaults spring) {
    return kafka(properties, spring, null);
  }

  /**
   * How messages are sent to Kafka.
   *
   * @param relay the relay of this process, whose window must fit twice into the buffer; null for
   *     that of the properties
   */
  public static KafkaConfig kafka(
      AngariumProperties properties, KafkaDefaults spring, @Nullable RelayConfig relay) {
    KafkaSharing sharing = new KafkaSharing(properties.kafka(), spring);
    SslBundle bundle = sharing.usesBundle() ? spring.bundle() : null;
    KafkaConfig config =
        kafka(
            properties,
            MissingAddress.KAFKA.required(sharing.servers()),
            withOptions(sharing.properties(), bundle),
            SharedTls.context(BUNDLE, bundle));
    if (relay == null) {
      return config;
    }
    DataSize window = DataSize.ofBytes(relay.window().bytesMax());
    return config.bufferBytes(buffer(window, KafkaConfig.of(SERVERS).bufferBytes()));
  }

  private static String serversOr(KafkaSharing sharing, String otherwise) {
    String servers = sharing.servers();
    return servers == null || servers.isBlank() ? otherwise : servers;
  }

  /** The protocols and cipher suites of a bundle, unless the properties name others. */
  private static Map<String, String> withOptions(
      Map<String, String> properties, @Nullable SslBundle bundle) {
    Map<String, String> all = new TreeMap<>(properties);
    if (bundle != null) {
      String[] protocols = bundle.getOptions().getEnabledProtocols();
      String[] ciphers = bundle.getOptions().getCiphers();
      if (protocols != null) {
        all.putIfAbsent("ssl.enabled.protocols", String.join(",", protocols));
      }
      if (ciphers != null) {
        all.putIfAbsent("ssl.cipher.suites", String.join(",", ciphers));
      }
    }
    return all;
  }

  private static KafkaConfig kafka(
      AngariumProperties properties,
      String servers,
      Map<String, String> clientProperties,
      @Nullable SSLContext sslContext) {
    AngariumProperties.Kafka given = properties.kafka();
    // The defaults do not depend on the servers.
    KafkaConfig standard = KafkaConfig.of(SERVERS);
    return new KafkaConfig(
        servers,
        or(given.clientId(), standard.clientId()),
        or(given.linger(), standard.linger()),
        or(given.deliveryTimeout(), standard.deliveryTimeout()),
        standard.holdMax(),
        or(given.missingAfter(), standard.missingAfter()),
        buffer(properties.relay().window().bytes(), standard.bufferBytes()),
        bytes(given.batch(), standard.batchBytes()),
        compression(given.compression(), standard.compression()),
        clientProperties,
        sslContext);
  }

  /** Room for the window twice. A window out of its range has a fault of its own. */
  private static long buffer(@Nullable DataSize window, long standard) {
    return window == null
        ? standard
        : Math.max(standard, 2 * Math.min(window.toBytes(), WINDOW_MAX));
  }

  private static Compression compression(
      AngariumProperties.@Nullable Compression given, Compression standard) {
    return given == null ? standard : Compression.valueOf(given.name());
  }
}
