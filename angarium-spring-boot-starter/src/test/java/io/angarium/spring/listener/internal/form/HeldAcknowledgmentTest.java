package io.angarium.spring.listener.internal.form;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import io.angarium.StoreException;
import io.angarium.inbox.Inbox;
import io.angarium.spring.listener.IdempotentConsumer;
import io.angarium.spring.listener.IdempotentConsumers;
import io.angarium.testkit.memory.InMemoryInbox;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.kafka.support.Acknowledgment;
import org.springframework.kafka.support.ShareAcknowledgment;
import org.springframework.messaging.Message;
import org.springframework.messaging.support.MessageBuilder;

/** Nothing is acknowledged, and no work goes on, before the commit. */
class HeldAcknowledgmentTest {
  private final InMemoryInbox inbox = new InMemoryInbox();
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();
  private final List<String> told = new ArrayList<>();
  private Stock stock;

  @BeforeEach
  void start() {
    context.registerBean(
        IdempotentConsumers.class, () -> new IdempotentConsumers(context.getBeanFactory()));
    context.registerBean(Inbox.class, () -> inbox);
    context.registerBean(Stock.class);
    context.refresh();
    stock = context.getBean(Stock.class);
  }

  @AfterEach
  void close() {
    context.close();
  }

  static class Stock {
    private final InMemoryInbox inbox;
    private Object result;
    private boolean failing;

    Stock(InMemoryInbox inbox) {
      this.inbox = inbox;
    }

    void failing(boolean failing) {
      this.failing = failing;
    }

    void result(Object result) {
      this.result = result;
    }

    @IdempotentConsumer(consumer = "share")
    void share(Message<String> message, ShareAcknowledgment acknowledgment) {
      acknowledgment.renew();
      switch (message.getPayload()) {
        case "release" -> acknowledgment.release();
        case "reject" -> acknowledgment.reject();
        default -> acknowledgment.acknowledge();
      }
      inbox.unreachable(failing);
    }

    @IdempotentConsumer(consumer = "header")
    void header(Message<String> message) {
      ((Acknowledgment) message.getHeaders().get("kafka_acknowledgment")).acknowledge();
      assertThat(message.getHeaders()).doesNotContainKey("amqp_channel").containsKey("other");
      inbox.unreachable(failing);
    }

    @IdempotentConsumer(consumer = "object")
    Object object(Message<String> message) {
      return result;
    }

    @IdempotentConsumer(consumer = "any")
    void any(Message<String> message, Object container) {}
  }

  private static Message<String> message(int id, String payload) {
    return with(id, payload).build();
  }

  private static MessageBuilder<String> with(int id, String payload) {
    return MessageBuilder.withPayload(payload)
        .setHeader("angarium-id", new UUID(1, id).toString())
        .setHeader("other", 1);
  }

  private ShareAcknowledgment shared() {
    return (ShareAcknowledgment)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ShareAcknowledgment.class},
            (proxy, method, arguments) -> {
              told.add(method.getName());
              return null;
            });
  }

  @Test
  void acknowledgmentOfAShareGroupWaitsForTheCommit() {
    stock.failing(true);

    assertThatThrownBy(() -> stock.share(message(1, "a"), shared()))
        .isInstanceOf(StoreException.class);

    assertThat(told).containsExactly("renew");
    inbox.unreachable(false);
    stock.failing(false);
    stock.share(message(1, "a"), shared());
    assertThat(told).containsExactly("renew", "renew", "acknowledge");
  }

  @Test
  void repeatInAShareGroupIsAcknowledged() {
    stock.share(message(1, "a"), shared());
    stock.share(message(1, "a"), shared());

    assertThat(told).containsExactly("renew", "acknowledge", "acknowledge");
  }

  @Test
  void rejectionInAShareGroupWaitsForTheCommitAndReleaseRollsBack() {
    stock.share(message(1, "reject"), shared());
    assertThatThrownBy(() -> stock.share(message(2, "release"), shared()))
        .isInstanceOf(UnsupportedOperationException.class);

    assertThat(told).containsExactly("renew", "reject", "renew");
    stock.share(message(2, "a"), shared());
    assertThat(told).endsWith("acknowledge");
  }

  @Test
  void acknowledgmentInAHeaderWaitsForTheCommitAndAChannelIsTakenOut() {
    Acknowledgment acknowledgment = () -> told.add("acknowledged");
    Message<String> message =
        with(1, "a")
            .setHeader("kafka_acknowledgment", acknowledgment)
            .setHeader("amqp_channel", channel())
            .build();
    stock.failing(true);

    assertThatThrownBy(() -> stock.header(message)).isInstanceOf(StoreException.class);

    assertThat(told).isEmpty();
    inbox.unreachable(false);
    stock.failing(false);
    stock.header(message);
    stock.header(message);
    assertThat(told).containsExactly("acknowledged", "acknowledged");
  }

  private static Channel channel() {
    return (Channel)
        Proxy.newProxyInstance(
            Channel.class.getClassLoader(), new Class<?>[] {Channel.class}, (p, m, a) -> null);
  }

  @Test
  void whatAcknowledgesAndIsNotDeclaredIsNotLetThrough() {
    assertThatThrownBy(() -> stock.any(message(1, "a"), channel()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContainingAll("Stock.any", "before the commit");
  }

  @Test
  void resultThatStandsForWorkThatGoesOnRollsBack() {
    for (Object late :
        List.of(new CompletableFuture<>(), List.of(CompletableFuture.completedFuture("")))) {
      stock.result(late);
      assertThatThrownBy(() -> stock.object(message(1, "a")))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContainingAll("Stock.object was rolled back", "nothing to wait for");
    }

    stock.result("done");
    assertThat(stock.object(message(1, "a"))).isEqualTo("done");
  }
}
