package io.angarium.rabbitmq;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.AMQP.BasicProperties;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Moments that no real broker can be brought to at will. */
class RedeliveryPublisherTest {
  private final List<String> calls = new CopyOnWriteArrayList<>();

  @SuppressWarnings("unchecked")
  private static <T> T fake(Class<T> type, InvocationHandler behaviour) {
    return (T) Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, behaviour);
  }

  /** Open, and silent when it is asked for confirms. */
  private Object silentChannel(Object proxy, java.lang.reflect.Method method, Object[] arguments)
      throws IOException {
    calls.add(method.getName());
    if (method.getName().equals("confirmSelect")) {
      throw new IOException("no answer in time");
    }
    return method.getName().equals("isOpen") ? true : null;
  }

  /** Else each failed delivery would take one of the channels that a connection may have. */
  @Test
  void aChannelThatDoesNotAgreeToConfirmsInTimeIsGivenBack() {
    Channel silent = fake(Channel.class, this::silentChannel);
    Connection connection =
        fake(
            Connection.class,
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "createChannel" -> silent;
                  case "removeBlockedListener" -> true;
                  default -> null;
                });

    try (RedeliveryPublisher publisher =
        new RedeliveryPublisher("work", connection, Duration.ofSeconds(60))) {
      assertThatThrownBy(
              () -> publisher.publish("retry", new BasicProperties(), "one".getBytes(UTF_8)))
          .isInstanceOf(IOException.class)
          .hasRootCauseMessage("no answer in time");
    }

    assertThat(calls).last().isEqualTo("abort");
  }
}
