package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.http.half.HttpHalfConfig;
import io.angarium.http.half.HttpHalfMessages;
import io.angarium.intake.MessageIntake;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import io.angarium.testservers.Thorough;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that are killed in the middle of their work lose nothing that they have answered. */
@OnOneJdk
class ServerCrashTest {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final int CALLERS = 16;

  @TempDir Path folder;

  /** What callers were told, by the key, which is the payload too. */
  private static final class Told {
    final Set<String> committed = ConcurrentHashMap.newKeySet();
    final Set<String> rolledBack = ConcurrentHashMap.newKeySet();
    final Set<String> preparedOnly = ConcurrentHashMap.newKeySet();
  }

  @Test
  @RequiresServer(io.angarium.testservers.Server.POSTGRESQL)
  void ofTwoServersOnPostgresEachIsKilledUnderLoadAndNothingIsLost() throws Exception {
    killEachOfTwo(SharedServers.postgres().freshDatabase());
  }

  @Test
  @RequiresServer(io.angarium.testservers.Server.MARIADB)
  void ofTwoServersOnMariaDbEachIsKilledUnderLoadAndNothingIsLost() throws Exception {
    killEachOfTwo(SharedServers.mariaDb().freshDatabase());
  }

  @Test
  @Thorough
  @RequiresServer(io.angarium.testservers.Server.MYSQL)
  void ofTwoServersOnMySqlEachIsKilledUnderLoadAndNothingIsLost() throws Exception {
    killEachOfTwo(SharedServers.mySql().freshDatabase());
  }

  private void killEachOfTwo(TestDatabase database) throws Exception {
    try (HookReceiver hook = new HookReceiver();
        ServerProcess first = new ServerProcess(folder, on(database, hook));
        ServerProcess second = new ServerProcess(folder, on(database, hook));
        HttpHalfMessages one = client(first.address());
        HttpHalfMessages other = client(second.address())) {
      Told told = new Told();
      CountDownLatch warm = new CountDownLatch(300);
      CountDownLatch after = new CountDownLatch(900);

      underLoad(
          List.of(one, other),
          told,
          () -> {
            await(warm);
            first.kill();
            await(after);
            second.kill();
          },
          warm,
          after);

      assertThat(told.committed).hasSizeGreaterThan(200);
      try (ServerProcess again = new ServerProcess(folder, on(database, hook));
          HttpHalfMessages half = client(again.address())) {
        awaitDelivery(hook, told.committed);
        assertThat(hook.received()).doesNotContainAnyElementsOf(told.rolledBack);
        assertThat(hook.received()).doesNotContainAnyElementsOf(told.preparedOnly);
        for (String key : told.preparedOnly) {
          assertThat(half.state(key(key))).isEqualTo(HalfState.PREPARED);
        }
      }
    }
  }

  /** In a file, H2 writes half a second later unless it is told otherwise. */
  @Test
  void killedServerOnTheEmbeddedDatabaseLosesNothingThatItAnswered() throws Exception {
    try (HookReceiver hook = new HookReceiver()) {
      List<String> options =
          List.of("--server.port=0", "--angarium.http.hooks.orders.url=" + hook.url());
      Told told = new Told();
      CountDownLatch warm = new CountDownLatch(300);
      try (ServerProcess killed = new ServerProcess(folder, options);
          HttpHalfMessages half = client(killed.address())) {
        underLoad(
            List.of(half),
            told,
            () -> {
              await(warm);
              killed.kill();
            },
            warm,
            new CountDownLatch(0));
      }

      try (ServerProcess again = new ServerProcess(folder, options);
          HttpHalfMessages half = client(again.address())) {
        assertThat(told.committed).hasSizeGreaterThan(50);
        awaitDelivery(hook, told.committed);
        assertThat(hook.received()).doesNotContainAnyElementsOf(told.rolledBack);
        for (String key : told.preparedOnly) {
          assertThat(half.state(key(key))).isEqualTo(HalfState.PREPARED);
        }
      }
    }
  }

  private static List<String> on(TestDatabase database, HookReceiver hook) {
    return List.of(
        "--server.port=0",
        "--spring.datasource.url=" + database.url(),
        "--spring.datasource.username=" + database.user(),
        "--spring.datasource.password=" + database.password(),
        "--angarium.http.hooks.orders.url=" + hook.url(),
        "--angarium.server.api-keys.shop.hashes=" + ServerUnderTest.HASH,
        "--angarium.server.api-keys.shop.businesses=order",
        "--angarium.server.api-keys.shop.destinations=http:orders");
  }

  private static HttpHalfMessages client(String address) {
    HttpHalfConfig config =
        HttpHalfConfig.of(address).apiKey(ServerUnderTest.KEY).answer(Duration.ofSeconds(30));
    return HttpHalfMessages.open(config, MessageIntake.of("shop"));
  }

  private static HalfKey key(String key) {
    return new HalfKey("order", key);
  }

  /** Calls from many threads, over one server each, while something happens. */
  private static void underLoad(
      List<HttpHalfMessages> servers, Told told, Runnable happening, CountDownLatch... counts)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
    AtomicBoolean over = new AtomicBoolean();
    List<Future<?>> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      int caller = i;
      callers.add(
          threads.submit(
              () -> load(servers.get(caller % servers.size()), caller, told, over, counts)));
    }
    try {
      happening.run();
    } finally {
      over.set(true);
      threads.shutdown();
    }
    for (Future<?> each : callers) {
      each.get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }
  }

  /** Goes on after failures: half of the callers have lost their server. */
  private static void load(
      HalfMessages half, int caller, Told told, AtomicBoolean over, CountDownLatch... counts) {
    for (int i = 0; !over.get(); i++) {
      String key = caller + "-" + i;
      try {
        half.prepare(HalfMessage.of(key(key), Message.of("http:orders", key.getBytes(UTF_8))));
        switch (i % 10) {
          case 3 -> {
            half.rollback(key(key));
            told.rolledBack.add(key);
          }
          case 7 -> told.preparedOnly.add(key);
          default -> {
            half.commit(key(key));
            told.committed.add(key);
          }
        }
        for (CountDownLatch count : counts) {
          count.countDown();
        }
      } catch (StoreException e) {
        LockSupport.parkNanos(10_000_000); // without an answer nothing is claimed
      }
    }
  }

  private static void awaitDelivery(HookReceiver hook, Set<String> expected) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!hook.received().containsAll(expected)) {
      Set<String> missing = ConcurrentHashMap.newKeySet();
      missing.addAll(expected);
      missing.removeAll(hook.received());
      assertThat(System.nanoTime()).as("missing: %s", missing).isLessThan(deadline);
      LockSupport.parkNanos(10_000_000);
    }
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }
}
