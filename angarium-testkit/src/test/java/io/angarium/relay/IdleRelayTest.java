package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.store.OutboxStore;
import io.angarium.testkit.fake.FakeTransport;
import io.angarium.testkit.memory.Tx;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a relay that has nothing to do asks the store: a database may have many of them. */
class IdleRelayTest {
  private static final int SECONDS = 50;

  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final List<String> calls = new ArrayList<>();
  private Runnable afterGlance = () -> {};
  private final Relay relay = world.storedIn(counted(world.database.outboxStore())).local();

  private OutboxStore counted(OutboxStore store) {
    return (OutboxStore)
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, arguments) -> {
              calls.add(method.getName());
              try {
                Object answer = method.invoke(store, arguments);
                if (method.getName().equals("glance")) {
                  afterGlance.run();
                }
                return answer;
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  @BeforeEach
  void comeToRest() {
    world.send("k", "first");
    world.settle(relay);
    world.pass(Duration.ofSeconds(70), relay);
    calls.clear();
  }

  @Test
  void oneQuestionASecondIsEnough() {
    world.pass(Duration.ofSeconds(SECONDS), relay);

    assertThat(Collections.frequency(calls, "glance")).isBetween(SECONDS / 2, SECONDS + 1);
    calls.removeIf(call -> call.equals("glance") || call.equals("era")); // that asks nobody
    assertThat(calls).hasSizeLessThanOrEqualTo(2); // a sweep
  }

  @Test
  void commitRightBehindTheQuestionIsSentAtOnce() {
    afterGlance =
        () -> {
          afterGlance = () -> {};
          world.send("k", "second");
        };
    untilAsked();

    assertThat(world.received()).containsExactly("first", "second");
  }

  @Test
  void delayedMessageIsSentInTheRoundThatFindsItDue() {
    try (Tx elsewhere = world.database.begin()) {
      Message message = RelayFixture.message("k", "second");
      elsewhere.outbox().send(message.notBefore(world.clock.instant().plusMillis(1)));
      elsewhere.commit();
    }

    untilAsked();

    assertThat(world.received()).containsExactly("first", "second");
  }

  /** Lets time pass up to the next question, and none after it. */
  private void untilAsked() {
    calls.clear();
    while (!calls.contains("glance")) {
      world.pass(Duration.ofMillis(100), relay);
    }
  }

  @Test
  void whatOthersWroteIsFoundWithinASecondOrTwo() {
    try (Tx elsewhere = world.database.begin()) {
      elsewhere.outbox().send(RelayFixture.message("k", "second"));
      elsewhere.commit();
    }

    world.pass(Duration.ofSeconds(2), relay);

    assertThat(world.received()).containsExactly("first", "second");
  }
}
