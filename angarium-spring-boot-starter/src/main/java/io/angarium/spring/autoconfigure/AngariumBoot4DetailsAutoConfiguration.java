package io.angarium.spring.autoconfigure;

import io.angarium.spring.autoconfigure.internal.details.ConnectionDetailsBeans;
import io.angarium.spring.autoconfigure.internal.details.DetailsReader;
import io.angarium.spring.autoconfigure.internal.details.KafkaDetails;
import io.angarium.spring.autoconfigure.internal.details.RabbitDetails;
import io.angarium.spring.autoconfigure.internal.details.RedisAccount;
import io.angarium.spring.autoconfigure.internal.details.RedisDetails;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.boot.amqp.autoconfigure.RabbitConnectionDetails;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.boot.kafka.autoconfigure.KafkaConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Reads the connection details of brokers by the types that Spring Boot 4 has for them. */
@AutoConfiguration
public final class AngariumBoot4DetailsAutoConfiguration {
  /** Creates the configuration. */
  public AngariumBoot4DetailsAutoConfiguration() {}

  /** In a class of its own because the type exists in one generation of Spring Boot only. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(KafkaConnectionDetails.class)
  public static class OnKafka {
    @Bean
    static DetailsReader<KafkaDetails> angariumKafkaDetails() {
      return new DetailsReader<>(
          KafkaDetails.class,
          context ->
              ConnectionDetailsBeans.read(
                  context, KafkaConnectionDetails.class, KafkaDetails.FAULT, OnKafka::details));
    }

    private static KafkaDetails details(KafkaConnectionDetails found) {
      return new KafkaDetails(
          found.getProducer().getBootstrapServers(),
          found.getProducer().getSecurityProtocol(),
          found.getProducer().getSslBundle());
    }
  }

  /** In a class of its own because the type exists in one generation of Spring Boot only. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(RabbitConnectionDetails.class)
  public static class OnRabbit {
    @Bean
    static DetailsReader<RabbitDetails> angariumRabbitDetails() {
      return new DetailsReader<>(
          RabbitDetails.class,
          context ->
              ConnectionDetailsBeans.read(
                  context, RabbitConnectionDetails.class, RabbitDetails.FAULT, OnRabbit::details));
    }

    private static RabbitDetails details(RabbitConnectionDetails found) {
      return new RabbitDetails(
          found.getAddresses().stream()
              .map(each -> ConnectionDetailsBeans.address(each.host(), each.port()))
              .collect(Collectors.joining(",")),
          found.getUsername(),
          found.getPassword(),
          found.getVirtualHost(),
          found.getSslBundle());
    }
  }

  /** In a class of its own because the type exists in one generation of Spring Boot only. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(DataRedisConnectionDetails.class)
  public static class OnRedis {
    @Bean
    static DetailsReader<RedisDetails> angariumRedisDetails() {
      return new DetailsReader<>(
          RedisDetails.class,
          context ->
              ConnectionDetailsBeans.read(
                  context, DataRedisConnectionDetails.class, RedisDetails.FAULT, OnRedis::details));
    }

    private static RedisDetails details(DataRedisConnectionDetails found) {
      RedisAccount account = new RedisAccount(found.getUsername(), found.getPassword());
      var standalone = found.getStandalone();
      if (standalone != null) {
        return new RedisDetails(
            account,
            List.of(ConnectionDetailsBeans.address(standalone.getHost(), standalone.getPort())),
            standalone.getDatabase(),
            null,
            RedisAccount.NONE,
            found.getSslBundle());
      }
      var sentinel = found.getSentinel();
      return sentinel == null
          ? RedisDetails.cluster(account)
          : new RedisDetails(
              account,
              sentinel.getNodes().stream()
                  .map(node -> ConnectionDetailsBeans.address(node.host(), node.port()))
                  .toList(),
              sentinel.getDatabase(),
              sentinel.getMaster(),
              new RedisAccount(sentinel.getUsername(), sentinel.getPassword()),
              found.getSslBundle());
    }
  }
}
