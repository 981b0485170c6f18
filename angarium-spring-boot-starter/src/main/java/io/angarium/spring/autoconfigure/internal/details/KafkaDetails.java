package io.angarium.spring.autoconfigure.internal.details;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * What a bean of Spring Boot's {@code KafkaConnectionDetails} says. Immutable.
 *
 * @param servers {@code host:port} of each
 * @param protocol security protocol; null leaves it to the properties
 * @param bundle null leaves certificates to the properties
 */
public record KafkaDetails(
    List<String> servers, @Nullable String protocol, @Nullable SslBundle bundle) {
  /** What a fault about it begins with. */
  public static final String FAULT = "kafka.bootstrap-servers";

  /** Whether the protocol is not left to the properties. */
  boolean namesProtocol() {
    return protocol != null && !protocol.isBlank();
  }
}
