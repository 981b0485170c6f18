package io.angarium.recipes.testcontainers;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.DestructionAwareBeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.kafka.KafkaContainer;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.rabbitmq.RabbitMQContainer;

/**
 * Puts a stand-in in the place of every container before Spring Boot starts it, so that the tests
 * can be written as for Docker. Spring Boot's support finds beans of the same classes and treats
 * them as it always does.
 */
@AutoConfiguration
public class WithoutDocker {
  /** Creates the configuration. */
  public WithoutDocker() {}

  @Bean
  static BeanPostProcessor standIns() {
    return new StandIns();
  }

  private static final class StandIns implements DestructionAwareBeanPostProcessor {
    private final Map<String, GenericContainer<?>> standIns = new ConcurrentHashMap<>();

    @Override
    public Object postProcessBeforeInitialization(Object bean, String beanName) {
      return bean instanceof GenericContainer<?> container
          ? standIns.computeIfAbsent(beanName, name -> standIn(container))
          : bean;
    }

    private static GenericContainer<?> standIn(GenericContainer<?> container) {
      if (container instanceof PostgreSQLContainer) {
        return new PostgresStandIn();
      }
      if (container instanceof KafkaContainer) {
        return new KafkaStandIn();
      }
      if (container instanceof RabbitMQContainer) {
        return new RabbitStandIn();
      }
      throw new IllegalArgumentException("No stand-in for " + container.getClass());
    }

    /** Spring destroys the container that it made first; its stand-in has to end with it. */
    @Override
    public void postProcessBeforeDestruction(Object bean, String beanName) {
      GenericContainer<?> standIn = standIns.remove(beanName);
      if (standIn != null) {
        standIn.stop();
      }
    }

    @Override
    public boolean requiresDestruction(Object bean) {
      return bean instanceof GenericContainer<?>;
    }
  }
}
