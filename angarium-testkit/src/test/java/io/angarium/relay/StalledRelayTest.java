package io.angarium.relay;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.store.OutboxStore;
import io.angarium.testkit.fake.FakeTransport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A round that does not end is told, and the relay counts as ill. */
@Timeout(60)
class StalledRelayTest {
  private final RelayFixture world = new RelayFixture(FakeTransport.pipelined());
  private final CountDownLatch entered = new CountDownLatch(1);
  private final CountDownLatch goOn = new CountDownLatch(1);
  private volatile boolean hang;

  @Test
  void roundThatDoesNotEndMakesTheRelayIll() throws InterruptedException {
    Relay relay = world.storedIn(hanging(world.database.outboxStore())).relay("a");
    try (relay) {
      relay.start();
      await(relay::healthy);
      hang = true;
      while (!entered.await(10, TimeUnit.MILLISECONDS)) {
        world.clock.advance(Duration.ofMillis(200));
        relay.wake();
      }

      world.clock.advance(Duration.ofSeconds(31));

      assertThat(relay.stalledFor()).isGreaterThanOrEqualTo(Duration.ofSeconds(31));
      assertThat(relay.healthy()).isFalse();

      goOn.countDown();
      await(() -> relay.stalledFor().isZero());
      await(relay::healthy);
    } finally {
      goOn.countDown();
    }
  }

  private static void await(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      LockSupport.parkNanos(5_000_000);
    }
  }

  private OutboxStore hanging(OutboxStore store) {
    return (OutboxStore)
        Proxy.newProxyInstance(
            OutboxStore.class.getClassLoader(),
            new Class<?>[] {OutboxStore.class},
            (proxy, method, arguments) -> {
              if (hang && method.getName().equals("lastSequence")) {
                hang = false;
                entered.countDown();
                goOn.await();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
