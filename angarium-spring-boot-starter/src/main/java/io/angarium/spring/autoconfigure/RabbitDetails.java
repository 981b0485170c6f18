package io.angarium.spring.autoconfigure;

import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.context.ApplicationContext;

/**
 * What a bean of Spring Boot's {@code RabbitConnectionDetails} says. Immutable.
 *
 * @param addresses {@code host:port}, several separated by commas
 * @param username null for RabbitMQ's default, like the parts that follow
 * @param bundle null leaves TLS to the properties
 */
record RabbitDetails(
    String addresses,
    @Nullable String username,
    @Nullable String password,
    @Nullable String virtualHost,
    @Nullable SslBundle bundle) {
  private static final String FAULT = "rabbitmq.addresses";

  static Optional<RabbitDetails> of(ApplicationContext context) {
    if (ConnectionDetailsBeans.have(
        context, "org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails")) {
      return Boot4.read(context);
    }
    return ConnectionDetailsBeans.have(
            context, "org.springframework.boot.autoconfigure.amqp.RabbitConnectionDetails")
        ? Boot3.read(context)
        : Optional.empty();
  }

  /** Never the password. */
  @Override
  public String toString() {
    return "RabbitDetails[" + addresses + ", " + username + "]";
  }

  /** In a class of its own, as the type is absent in the other generation. */
  private static final class Boot3 {
    static Optional<RabbitDetails> read(ApplicationContext context) {
      return ConnectionDetailsBeans.read(
          context,
          org.springframework.boot.autoconfigure.amqp.RabbitConnectionDetails.class,
          FAULT,
          found ->
              new RabbitDetails(
                  found.getAddresses().stream()
                      .map(each -> ConnectionDetailsBeans.address(each.host(), each.port()))
                      .collect(Collectors.joining(",")),
                  found.getUsername(),
                  found.getPassword(),
                  found.getVirtualHost(),
                  found.getSslBundle()));
    }
  }

  /** In a class of its own, as the type is absent in the other generation. */
  private static final class Boot4 {
    static Optional<RabbitDetails> read(ApplicationContext context) {
      return ConnectionDetailsBeans.read(
          context,
          org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails.class,
          FAULT,
          found ->
              new RabbitDetails(
                  found.getAddresses().stream()
                      .map(each -> ConnectionDetailsBeans.address(each.host(), each.port()))
                      .collect(Collectors.joining(",")),
                  found.getUsername(),
                  found.getPassword(),
                  found.getVirtualHost(),
                  found.getSslBundle()));
    }
  }
}
