package io.angarium.spring.autoconfigure.internal.details;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.env.Environment;

/**
 * Where brokers are by what others say: Spring Boot's connection details and properties for Kafka,
 * RabbitMQ and Redis, and the property of RocketMQ's starter. Each is asked for when it is needed,
 * as reading connection details may start a container. Immutable.
 *
 * @param rocketNameServers null if none are named
 * @param redis of the inbox on Redis
 */
public record BrokerDefaults(
    Supplier<KafkaDefaults> kafka,
    Supplier<RabbitDefaults> rabbit,
    @Nullable String rocketNameServers,
    Supplier<RedisDefaults> redis) {

  public static BrokerDefaults of(ApplicationContext context) {
    return new BrokerDefaults(
        () -> KafkaDefaults.of(context),
        () -> RabbitDefaults.of(context),
        rocketNameServers(context.getEnvironment()),
        () -> RedisDefaults.of(context));
  }

  public static @Nullable String rocketNameServers(Environment environment) {
    return environment.getProperty("rocketmq.name-server");
  }
}
