package io.angarium.spring.autoconfigure.internal.check;

import java.util.stream.Stream;
import org.springframework.context.ApplicationContext;
import org.springframework.util.ClassUtils;

/**
 * What is around an application, as far as its configuration must fit to it: what is on its class
 * path, and what kind of web application it is. Immutable.
 */
public record Surroundings(ApplicationContext context) {
  /** By name: this class can be compiled without the modules of that one. */
  private static final String HALF =
      "io.angarium.spring.autoconfigure.AngariumHalfAutoConfiguration";

  boolean haveKafka() {
    return have(
        "io.angarium.kafka.KafkaTransport", "org.apache.kafka.clients.producer.KafkaProducer");
  }

  boolean haveRabbit() {
    return have("io.angarium.rabbitmq.RabbitTransport", "com.rabbitmq.client.ConnectionFactory");
  }

  boolean haveRocket() {
    return have(
        "io.angarium.rocketmq.RocketTransport",
        "org.apache.rocketmq.client.producer.DefaultMQProducer");
  }

  boolean haveRedis() {
    return have(
        "io.angarium.redis.RedisInbox",
        "io.lettuce.core.RedisClient",
        "org.springframework.transaction.support.TransactionSynchronizationManager");
  }

  boolean haveHttp() {
    return have("io.angarium.http.HttpTransport");
  }

  boolean haveMvc() {
    return have(
        "org.springframework.web.servlet.function.RouterFunction",
        "jakarta.servlet.http.HttpServletRequest");
  }

  boolean haveMetrics() {
    return have(
        "io.angarium.micrometer.RelayMetrics", "io.micrometer.core.instrument.MeterRegistry");
  }

  /** Whether the application itself says in a bean how to reach Kafka. */
  boolean haveOwnKafka() {
    return haveOwn("io.angarium.kafka.KafkaConfig", "angariumKafkaConfig");
  }

  /** Whether the application itself says in a bean how to reach RabbitMQ. */
  boolean haveOwnRabbit() {
    return haveOwn("io.angarium.rabbitmq.RabbitConfig", "angariumRabbitConfig");
  }

  /** Whether the application itself says in a bean how to reach Redis. */
  boolean haveOwnRedis() {
    return haveOwn("io.lettuce.core.RedisClient", "angariumRedisClient");
  }

  /** Makes no bean, as none is to be made yet. */
  private boolean haveOwn(String type, String ours) {
    Class<?> resolved = ClassUtils.resolveClassName(type, context.getClassLoader());
    return Stream.of(context.getBeanNamesForType(resolved, true, false))
        .anyMatch(name -> !name.equals(ours));
  }

  /** Whether all of these are on the class path. */
  boolean have(String... classes) {
    return Stream.of(classes)
        .allMatch(name -> ClassUtils.isPresent(name, context.getClassLoader()));
  }

  /** Whether requests come to servlets, on which Spring MVC is built. */
  boolean areServlets() {
    String type = "org.springframework.web.context.WebApplicationContext";
    return have(type)
        && ClassUtils.resolveClassName(type, context.getClassLoader()).isInstance(context);
  }

  /** Whether the half messages of the starter take part, unlike in tests of a slice. */
  boolean haveHalfMessages() {
    return context.containsBeanDefinition(HALF);
  }
}
