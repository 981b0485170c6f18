package io.angarium.tests.spring;

import io.angarium.Outbox;
import jakarta.persistence.EntityManager;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Applications that write their business data in different ways. */
final class Styles {
  private Styles() {}

  @Configuration(proxyBeanMethods = false)
  static class Jdbc {
    @Bean
    Orders orders(JdbcTemplate jdbc, Outbox outbox) {
      return new Orders(id -> jdbc.update("INSERT INTO orders VALUES (?, 'new')", id), outbox);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @AutoConfigurationPackage
  static class Jpa {
    @Bean
    Orders orders(EntityManager manager, Outbox outbox) {
      return new Orders(id -> manager.persist(new OrderRow(id)), outbox);
    }
  }

  @Configuration(proxyBeanMethods = false)
  @AutoConfigurationPackage
  static class MyBatis {
    @Bean
    Orders orders(OrderMapper mapper, Outbox outbox) {
      return new Orders(mapper::insert, outbox);
    }
  }
}
