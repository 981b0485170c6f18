package io.angarium.tests.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.TypeNames;
import io.angarium.TypedOutbox;
import io.angarium.TypedPayloads;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class TypedPayloadsTest {
  record OrderPaid(long order, String currency) {}

  @Test
  void namedTypesTravelAsJsonOfTheApplicationsJackson() {
    try (ConfigurableApplicationContext context =
        Shop.on(Database.h2()).withoutJpa().with(Types.class).start()) {
      TypedOutbox outbox = context.getBean(TypedOutbox.class);
      new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
          .executeWithoutResult(
              status -> outbox.send("mailbox:paid", "4711", new OrderPaid(4711, "EUR")));

      Message message = context.getBean(Mailbox.class).next().message();
      assertThat(new String(message.payload(), UTF_8))
          .isEqualTo("{\"order\":4711,\"currency\":\"EUR\"}");
      assertThat(message.type()).isEqualTo("order-paid");
      assertThat(message.headers().get("content-type")).isEqualTo("application/json");
      assertThat(context.getBean(TypedPayloads.class).read("order-paid", message.payload()))
          .isEqualTo(new OrderPaid(4711, "EUR"));
    }
  }

  @Test
  void withoutNamedTypesThereIsNoTypedOutbox() {
    try (ConfigurableApplicationContext context = Shop.on(Database.h2()).withoutJpa().start()) {
      assertThat(context.getBeanProvider(TypedOutbox.class).getIfAvailable()).isNull();
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Types {
    @Bean
    TypeNames types() {
      return TypeNames.builder().type("order-paid", OrderPaid.class).build();
    }
  }
}
