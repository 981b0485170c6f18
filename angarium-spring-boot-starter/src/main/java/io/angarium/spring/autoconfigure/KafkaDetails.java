package io.angarium.spring.autoconfigure;

import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.ApplicationContext;

/**
 * What a bean of Spring Boot's {@code KafkaConnectionDetails} says. Immutable.
 *
 * @param servers {@code host:port} of each
 * @param protocol security protocol; null leaves it to the properties
 * @param bundle null leaves certificates to the properties
 */
record KafkaDetails(List<String> servers, @Nullable String protocol, @Nullable SslBundle bundle) {
  private static final String FAULT = "kafka.bootstrap-servers";

  static Optional<KafkaDetails> of(ApplicationContext context) {
    if (ConnectionDetailsBeans.have(
        context, "org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails")) {
      return Boot4.read(context);
    }
    return ConnectionDetailsBeans.have(
            context, "org.springframework.boot.autoconfigure.kafka.KafkaConnectionDetails")
        ? Boot3.read(context)
        : Optional.empty();
  }

  /** Whether the protocol is not left to the properties. */
  boolean namesProtocol() {
    return protocol != null && !protocol.isBlank();
  }

  /** In a class of its own, as the type is absent in the other generation. */
  private static final class Boot3 {
    static Optional<KafkaDetails> read(ApplicationContext context) {
      return ConnectionDetailsBeans.read(
          context,
          org.springframework.boot.autoconfigure.kafka.KafkaConnectionDetails.class,
          FAULT,
          found ->
              new KafkaDetails(
                  found.getProducer().getBootstrapServers(),
                  found.getProducer().getSecurityProtocol(),
                  found.getProducer().getSslBundle()));
    }
  }

  /** In a class of its own, as the type is absent in the other generation. */
  private static final class Boot4 {
    static Optional<KafkaDetails> read(ApplicationContext context) {
      return ConnectionDetailsBeans.read(
          context,
          org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails.class,
          FAULT,
          found ->
              new KafkaDetails(
                  found.getProducer().getBootstrapServers(),
                  found.getProducer().getSecurityProtocol(),
                  found.getProducer().getSslBundle()));
    }
  }
}
