package io.angarium.tests.spring;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.NoTransactionException;
import io.angarium.PayloadCodec;
import io.angarium.PayloadException;
import io.angarium.PayloadType;
import io.angarium.TypeNames;
import io.angarium.TypedOutbox;
import io.angarium.TypedPayloads;
import io.angarium.spring.MessageConverterCodec;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.converter.StringMessageConverter;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Objects as payloads, without a broker. */
class TypedPayloadsTest {
  record OrderPaid(long order, String currency) {}

  @PayloadType("order.shipped")
  record OrderShipped(long orderNumber) {}

  private final Database database = Database.h2();

  private Shop shop() {
    return Shop.on(database).withoutJpa();
  }

  private static void send(ConfigurableApplicationContext context, Object payload) {
    TypedOutbox outbox = context.getBean(TypedOutbox.class);
    new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
        .executeWithoutResult(status -> outbox.send("mailbox:paid", "4711", payload));
  }

  private static Message sent(ConfigurableApplicationContext context, Object payload) {
    send(context, payload);
    return context.getBean(Mailbox.class).next().message();
  }

  @Test
  void objectIsSentInOneLineWithNothingButTheStarter() {
    try (ConfigurableApplicationContext context = shop().start()) {
      Message message = sent(context, new OrderPaid(4711, "EUR"));

      assertThat(new String(message.payload(), UTF_8))
          .isEqualTo("{\"order\":4711,\"currency\":\"EUR\"}");
      assertThat(message.type()).isEqualTo("order-paid");
      assertThat(message.key()).isEqualTo("4711");
      assertThat(message.headers().get("content-type")).isEqualTo("application/json");
      assertThat(context.getBean(TypedPayloads.class).read(message, OrderPaid.class))
          .isEqualTo(new OrderPaid(4711, "EUR"));
      assertThat(sent(context, new OrderShipped(1)).type()).isEqualTo("order.shipped");
    }
  }

  @Test
  void objectIsPartOfTheTransaction() {
    try (ConfigurableApplicationContext context = shop().start()) {
      TypedOutbox outbox = context.getBean(TypedOutbox.class);

      new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
          .executeWithoutResult(
              status -> {
                outbox.send("mailbox:paid", "rolled back", new OrderPaid(1, "EUR"));
                status.setRollbackOnly();
              });
      assertThatThrownBy(() -> outbox.send("mailbox:paid", "1", new OrderPaid(1, "EUR")))
          .isInstanceOf(NoTransactionException.class);
      Message message = sent(context, new OrderPaid(2, "EUR"));

      assertThat(new String(message.payload(), UTF_8)).contains("2");
      assertThat(context.getBean(Mailbox.class).keys()).containsExactly("4711");
    }
  }

  @Test
  void settingsOfTheApplicationsJacksonApply() {
    try (ConfigurableApplicationContext context =
        shop().with("spring.jackson.property-naming-strategy=SNAKE_CASE").start()) {
      assertThat(new String(sent(context, new OrderShipped(1)).payload(), UTF_8))
          .isEqualTo("{\"order_number\":1}");
    }
  }

  @Test
  void registeredTypesReplaceTheDerivedOnes() {
    try (ConfigurableApplicationContext context = shop().with(Types.class).start()) {
      Message message = sent(context, new OrderPaid(4711, "EUR"));

      assertThat(message.type()).isEqualTo("paid");
      assertThat(context.getBean(TypedPayloads.class).read("OrderPaidEvent", message.payload()))
          .isEqualTo(new OrderPaid(4711, "EUR"));
      assertThatThrownBy(() -> send(context, new Unnamed()))
          .isInstanceOf(PayloadException.class)
          .hasMessageContaining("has no logical type name");
    }
  }

  record Unnamed() {}

  @Configuration(proxyBeanMethods = false)
  static class Types {
    @Bean
    TypeNames types() {
      return TypeNames.builder()
          .type("paid", OrderPaid.class)
          .alias("OrderPaidEvent", OrderPaid.class)
          .build();
    }
  }

  @Test
  void converterOfSpringTakesThePlaceOfJackson() {
    try (ConfigurableApplicationContext context = shop().with(Texts.class).start()) {
      Message message = sent(context, "Grüße");

      assertThat(message.payload()).isEqualTo("Grüße".getBytes(UTF_8));
      assertThat(message.type()).isEqualTo("note");
      assertThat(message.headers().get("content-type")).isEqualTo("text/plain;charset=UTF-8");
      assertThat(context.getBean(TypedPayloads.class).read(message, String.class))
          .isEqualTo("Grüße");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Texts {
    @Bean
    PayloadCodec texts() {
      return new MessageConverterCodec(new StringMessageConverter());
    }

    @Bean
    TypeNames types() {
      return TypeNames.builder().type("note", String.class).build();
    }
  }

  @Test
  void jsonConverterOfSpringTakesThePlaceOfJackson() {
    try (ConfigurableApplicationContext context = shop().with(Json.class).start()) {
      Message message = sent(context, new OrderPaid(4711, "EUR"));

      assertThat(new String(message.payload(), UTF_8))
          .isEqualTo("{\"order\":4711,\"currency\":\"EUR\"}");
      assertThat(message.headers().get("content-type")).isEqualTo("application/json");
      assertThat(context.getBean(TypedPayloads.class).read(message, OrderPaid.class))
          .isEqualTo(new OrderPaid(4711, "EUR"));
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Json {
    @Bean
    PayloadCodec json() {
      return new MessageConverterCodec(Mappers.converter());
    }
  }

  @Test
  void mapperThatIsNotFitForMessagesStopsOnlyWhoSendsObjects() {
    try (ConfigurableApplicationContext context =
        shop().with(Mappers.WithDefaultTyping.class).start()) {
      assertThatThrownBy(() -> send(context, new OrderPaid(4711, "EUR")))
          .rootCause()
          .hasMessageContaining("default typing is on");
    }
  }
}
