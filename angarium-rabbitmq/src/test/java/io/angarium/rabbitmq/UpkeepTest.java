package io.angarium.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import io.angarium.testkit.ManualClock;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Moments that no real broker can be brought to at will. */
class UpkeepTest {
  private final ManualClock clock = ManualClock.create();
  private final RabbitConfig config = RabbitConfig.of("a:1");
  private final Diagnosis diagnosis = new Diagnosis(config);
  private final Lanes lanes = new Lanes(config, diagnosis);
  private final List<String> calls = new ArrayList<>();

  private final Upkeep upkeep =
      new Upkeep(
          config,
          new Connections(config, factory -> {}),
          lanes,
          new Publisher("publisher", lanes, clock),
          diagnosis,
          clock);

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

  @Test
  void aChannelThatDoesNotAgreeToConfirmsInTimeIsGivenBack() {
    Channel silent = fake(Channel.class, this::silentChannel);
    Connection connection =
        fake(
            Connection.class,
            (proxy, method, arguments) -> method.getName().equals("createChannel") ? silent : null);
    Session session = new Session(connection, new Socket(), clock.nanoTime());

    assertThatThrownBy(() -> upkeep.open(session, new Lane(1)))
        .isInstanceOf(IOException.class)
        .hasMessage("no answer in time");

    assertThat(calls).last().isEqualTo("abort");
  }
}
