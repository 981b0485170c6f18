package io.angarium.spring.autoconfigure.internal.details;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;

/**
 * What a bean of Spring Boot's {@code RabbitConnectionDetails} says. Immutable.
 *
 * @param addresses {@code host:port}, several separated by commas
 * @param username null for RabbitMQ's default, like the parts that follow
 * @param bundle null leaves TLS to the properties
 */
public record RabbitDetails(
    String addresses,
    @Nullable String username,
    @Nullable String password,
    @Nullable String virtualHost,
    @Nullable SslBundle bundle) {
  /** What a fault about it begins with. */
  public static final String FAULT = "rabbitmq.addresses";

  /** Never the password. */
  @Override
  public String toString() {
    return "RabbitDetails[" + addresses + ", " + username + "]";
  }
}
