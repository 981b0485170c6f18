package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.testkit.fake.FakeBroker;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A transport that throws, though it must not: a class of its broker's client is missing, say. */
class ThrowingTransportTest {
  private static final String DESTINATION = "throwing:orders";

  private final Throwing throwing = new Throwing();
  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined()).besides(throwing);
  private final Relay relay = world.local();

  static List<Throwable> thrown() {
    return List.of(
        new IllegalStateException("broken"),
        new NoClassDefFoundError("com/example/Codec"),
        new AssertionError("broken"),
        new OutOfMemoryError("broken"));
  }

  static List<Arguments> thrownAfter() {
    return thrown().stream()
        .flatMap(e -> List.of(Arguments.of(e, 0), Arguments.of(e, 1)).stream())
        .toList();
  }

  @ParameterizedTest
  @MethodSource("thrownAfter")
  void itsMessagesAreTriedAgainInOrderAndNoneIsLost(Throwable thrown, int taken) {
    world.settle(relay);
    throwing.next = thrown;
    throwing.taken = taken;

    send("k", "one");
    send("k", "two");
    send(null, "three");
    settleThroughErrors();
    send("k", "four");
    for (int i = 0; i < 5; i++) { // a pause of a second, and looks at the parked list
      world.clock.advance(Duration.ofSeconds(1));
      settleThroughErrors();
    }

    assertThat(throwing.next).isNull();
    assertThat(world.database.unsent()).isEmpty();
    assertThat(throwing.texts("k")).containsSubsequence("one", "two", "four");
    assertThat(throwing.texts(null)).contains("three");
    assertThat(world.events).filteredOn(event -> event.startsWith("dead")).isEmpty();
  }

  @Test
  void anotherTransportGoesOn() {
    world.settle(relay);
    throwing.next = new NoClassDefFoundError("com/example/Codec");

    send("k", "one");
    world.send("k", "other");
    world.settle(relay);

    assertThat(world.received()).containsExactly("other");
  }

  /** Thrown on, so that whoever watches the thread knows as well. */
  @Test
  void errorOfTheVirtualMachineReachesTheOutermostLoop() {
    world.settle(relay);
    throwing.next = new OutOfMemoryError("broken");
    send("k", "one");

    assertThatThrownBy(() -> world.settle(relay)).isInstanceOf(OutOfMemoryError.class);
  }

  @Test
  void messageThatMakesItThrowEachTimeIsADeadLetterInTheEnd() {
    world.settle(relay);
    throwing.always = new NoClassDefFoundError("com/example/Codec");
    send("k", "poison");

    world.pass(Duration.ofMinutes(1), relay);

    assertThat(world.events).containsExactly("dead poison");
  }

  private void send(@Nullable String key, String text) {
    byte[] payload = text.getBytes(StandardCharsets.UTF_8);
    Message message = Message.of(DESTINATION, payload);
    world.send(key == null ? message : message.key(key));
  }

  /** As the thread's loop does: it goes on. */
  private void settleThroughErrors() {
    boolean again = true;
    while (again) {
      again = false;
      try {
        world.settle(relay);
      } catch (OutOfMemoryError | AssertionError e) {
        assertThat(e).hasMessage("broken");
        again = true;
      }
    }
  }

  /** Takes some messages of a call, then throws. */
  private static final class Throwing implements Transport {
    private final FakeTransport behind =
        FakeTransport.to(new FakeBroker(), "throwing", KeyOrder.PIPELINED);
    private @Nullable Throwable next;
    private @Nullable Error always;
    private int taken;

    List<String> texts(@Nullable String key) {
      return behind.stored(DESTINATION).stream()
          .filter(m -> Objects.equals(key, m.message().key()))
          .map(m -> RelayFixture.text(m.message()))
          .toList();
    }

    @Override
    public String name() {
      return behind.name();
    }

    @Override
    public KeyOrder keyOrder() {
      return behind.keyOrder();
    }

    @Override
    public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
      if (always != null) {
        throw always;
      }
      Throwable thrown = next;
      if (thrown == null) {
        behind.send(messages, results);
        return;
      }
      next = null;
      behind.send(messages.subList(0, Math.min(taken, messages.size())), results);
      if (thrown instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) thrown;
    }

    @Override
    public Duration resultMax() {
      return behind.resultMax();
    }

    @Override
    public Duration blockingMax() {
      return behind.blockingMax();
    }

    @Override
    public void flush(Duration timeout) {
      behind.flush(timeout);
    }

    @Override
    public void close() {
      behind.close();
    }
  }
}
