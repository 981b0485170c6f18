package io.angarium.benchmarks.centre;

import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.ServerChild;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/**
 * The server as it comes, with a relay that sends to Kafka what is committed. Option: {@code
 * delivery-timeout}, how long Kafka is tried.
 */
final class Centre {
  static final String KEY = "a-key-for-benchmarks";

  private static final String PROGRAM = "io.angarium.server.Server";

  private Centre() {}

  static ServerChild start(ArmSettings settings, List<String> more) throws IOException {
    List<String> options = new ArrayList<>(more);
    options.add("--server.port=0");
    options.add("--spring.datasource.url=" + settings.url());
    options.add("--spring.datasource.username=" + settings.user());
    options.add("--spring.datasource.password=" + settings.password());
    options.add("--angarium.server.api-keys.bench.hashes=sha256:" + sha256(KEY));
    options.add("--angarium.server.api-keys.bench.businesses=*");
    options.add("--angarium.server.api-keys.bench.destinations=*");
    options.add("--angarium.kafka.enabled=true");
    options.add("--angarium.kafka.bootstrap-servers=" + settings.brokerAddress());
    String deliveryTimeout = settings.options().get("delivery-timeout");
    if (deliveryTimeout != null) {
      options.add("--angarium.kafka.delivery-timeout=" + deliveryTimeout);
    }
    return ServerChild.start(PROGRAM, options);
  }

  private static String sha256(String text) {
    try {
      byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
