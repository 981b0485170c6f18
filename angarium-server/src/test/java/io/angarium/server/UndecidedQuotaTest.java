package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.WhenUnknown;
import io.angarium.server.calls.UndecidedQuota;
import io.angarium.server.problem.ProblemException;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A business that decides nothing does not fill the database. */
class UndecidedQuotaTest {
  private static final String MAX = "angarium.server.undecided-max=";

  private static HalfMessage message(String business, String key) {
    return HalfMessage.of(new HalfKey(business, key), Message.of("log:orders", new byte[1]));
  }

  private static HalfCall prepare(String key) {
    return new HalfCall.Prepare(message("order", key));
  }

  private static List<HalfCall> prepareAndCommit(String key) {
    HalfKey half = new HalfKey("order", key);
    return List.of(prepare(key), new HalfCall.Commit(half, WhenUnknown.REFUSE));
  }

  private static HttpResponse<String> put(ServerUnderTest server, String key) {
    return server.send(
        server
            .request("/v1/half-messages/order/" + key)
            .header("Angarium-Destination", "log:orders")
            .PUT(BodyPublishers.ofString("x")));
  }

  @Test
  void oneServerKeepsTheLimitAndSaysWhatToDo() {
    try (ServerUnderTest server = ServerUnderTest.open(MAX + "3")) {
      HalfMessages half = server.half();
      for (String key : List.of("1", "2", "3")) {
        assertThat(put(server, key).statusCode()).isEqualTo(200);
      }

      HttpResponse<String> refused = put(server, "4");

      assertThat(refused.statusCode()).isEqualTo(429);
      assertThat(refused.headers().firstValue("Retry-After")).hasValue("5");
      assertThat(refused.body())
          .contains("\"code\":\"TOO_MANY\"")
          .contains(
              "business order has 3 undecided half messages (expected: at most 3, set by"
                  + " angarium.server.undecided-max): commit or roll back what is open");
      assertThat(put(server, "1").statusCode()).as("a repeat").isEqualTo(200);
      assertThat(half.prepare(message("bill", "1"))).as("another").isEqualTo(HalfState.PREPARED);
      assertThat(half.state(new HalfKey("order", "4"))).isEqualTo(HalfState.UNKNOWN);
      assertThat(half.callAll(prepareAndCommit("4"))).as("decided at once").hasSize(2);

      half.rollback(new HalfKey("order", "2"));

      assertThat(put(server, "6").statusCode()).isEqualTo(200);
      server.bean(UndecidedQuota.class).count();
      assertThat(put(server, "5").statusCode()).as("counted anew").isEqualTo(429);
    }
  }

  @Test
  void requestThatWouldExceedTheLimitHasNoEffect() {
    try (ServerUnderTest server = ServerUnderTest.open(MAX + "3")) {
      HalfMessages half = server.half();
      List<HalfCall> calls = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        calls.add(new HalfCall.Prepare(message("order", "" + i)));
      }

      assertThatThrownBy(() -> half.callAll(calls))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("TOO_MANY")
          .hasMessageContaining("nothing took effect");

      assertThat(half.states(calls.stream().map(HalfCall::key).toList()).values())
          .containsOnly(HalfState.UNKNOWN);
      assertThat(half.callAll(calls.subList(0, 3))).hasSize(3);
    }
  }

  /** Clients put calls of several callers into one request. */
  @ParameterizedTest
  @ValueSource(strings = {"http", "grpc", "dubbo"})
  void fullBusinessDoesNotHinderOthers(String way) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (ServerUnderTest server =
        ServerUnderTest.open(
            MAX + "2",
            "angarium.relay.enabled=false",
            "angarium.server.api-keys.shop.hashes=" + ServerUnderTest.HASH,
            "angarium.server.api-keys.shop.businesses=*",
            "angarium.server.api-keys.shop.destinations=log:*",
            "angarium.server.grpc.enabled=true",
            "angarium.server.grpc.port=0",
            "angarium.server.dubbo.enabled=true",
            "angarium.server.dubbo.trust-message.enabled=false",
            "angarium.server.dubbo.port=" + DubboShop.freePort())) {
      HalfMessages half = client(server, way);
      half.callAll(List.of(prepare("1"), prepare("2")));
      AtomicBoolean ended = new AtomicBoolean();
      AtomicInteger refused = new AtomicInteger();
      List<Future<?>> full = new ArrayList<>();
      for (int i = 0; i < 2; i++) {
        full.add(threads.submit(() -> refuse(half, ended, refused)));
      }

      List<Future<?>> others = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        String business = "other" + i;
        others.add(threads.submit(() -> decideAll(half, business)));
      }

      for (Future<?> other : others) {
        other.get(); // throws what a call threw
      }
      ended.set(true);
      for (Future<?> each : full) {
        each.get();
      }
      assertThat(refused).hasPositiveValue();
      if (half instanceof AutoCloseable client) {
        client.close();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static HalfMessages client(ServerUnderTest server, String way) {
    return switch (way) {
      case "http" -> server.half();
      case "grpc" -> server.grpc(ServerUnderTest.KEY);
      default -> server.dubbo(ServerUnderTest.KEY);
    };
  }

  private static void refuse(HalfMessages half, AtomicBoolean ended, AtomicInteger refused) {
    while (!ended.get()) {
      String key = "full" + refused.incrementAndGet();
      assertThatThrownBy(() -> half.prepare(message("order", key)))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("business order has 2 undecided half messages");
    }
  }

  private static void decideAll(HalfMessages half, String business) {
    for (int i = 0; i < 100; i++) {
      half.prepare(message(business, "" + i));
      half.commit(new HalfKey(business, "" + i));
    }
  }

  /** Those under way count, too. */
  @Test
  void callsAtTheSameTimeDoNotExceedTheLimit() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(16);
    try (ServerUnderTest server = ServerUnderTest.open(MAX + "10")) {
      List<Future<Integer>> statuses = new ArrayList<>();
      for (int i = 0; i < 60; i++) {
        String key = "" + i;
        statuses.add(threads.submit(() -> put(server, key).statusCode()));
      }

      int taken = 0;
      for (Future<Integer> status : statuses) {
        assertThat(status.get()).isIn(200, 429);
        taken += status.get() == 200 ? 1 : 0;
      }
      assertThat(taken).isEqualTo(10);
    } finally {
      threads.shutdownNow();
    }
  }

  /** Each may exceed it by what the other prepares until the next count, and by no more. */
  @Test
  @RequiresServer(Server.POSTGRESQL)
  void secondServerKnowsWhatTheFirstOneHoldsFromItsNextCountOn() {
    TestDatabase database = SharedServers.postgres().freshDatabase();
    try (ServerUnderTest first = server(database);
        ServerUnderTest second = server(database)) {
      HalfMessages there = first.half();
      HalfMessages here = second.half();
      for (int i = 0; i < 10; i++) {
        there.prepare(message("order", "" + i));
      }
      second.bean(UndecidedQuota.class).count();

      assertThatThrownBy(() -> here.prepare(message("order", "more")))
          .hasMessageContaining("business order has 10 undecided half messages");

      there.commit(new HalfKey("order", "1"));
      second.bean(UndecidedQuota.class).count();

      assertThat(here.prepare(message("order", "more"))).isEqualTo(HalfState.PREPARED);
    }
  }

  private static ServerUnderTest server(TestDatabase database) {
    return ServerUnderTest.guarded(
        database.url(),
        database.user(),
        database.password(),
        MAX + "10",
        "angarium.relay.enabled=false");
  }

  /** Half messages in memory, with what happens around a call and a count. */
  private static final class Scene implements HalfMessages {
    private final UndecidedQuota quota;
    private final InMemoryHalfMessages half;
    private long stored;
    private Runnable duringCount = () -> {};
    private Runnable afterCall = () -> {};

    Scene(int max) {
      quota = new UndecidedQuota(max, this::counted);
      half = new InMemoryHalfMessages(ManualClock.create(), quota);
    }

    private Map<String, Long> counted() {
      duringCount.run();
      return Map.of("order", stored);
    }

    @Override
    public List<HalfAnswer> callAll(List<HalfCall> calls) {
      List<HalfAnswer> answers = half.callAll(calls);
      afterCall.run();
      return answers;
    }

    @Override
    public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
      return half.states(keys);
    }

    private void take(HalfCall... calls) {
      quota.call(this, List.of(calls));
    }

    private void assertFull() {
      HalfCall more = UndecidedQuotaTest.prepare("more");
      assertThatThrownBy(() -> quota.call(half, List.of(more)))
          .isInstanceOf(ProblemException.class);
    }
  }

  @Test
  void decisionThatTheCountSeesIsSubtractedOnce() {
    Scene scene = new Scene(2);
    scene.take(prepare("1"), prepare("2"));
    scene.duringCount = () -> scene.take(prepareAndCommit("1").get(1));
    scene.stored = 1;

    scene.quota.count();

    scene.take(prepare("3"));
    scene.assertFull();
  }

  @Test
  void decisionThatTheCountDoesNotSeeIsSubtracted() {
    Scene scene = new Scene(2);
    scene.take(prepare("1"), prepare("2"));
    scene.duringCount = () -> scene.take(prepareAndCommit("1").get(1));
    scene.stored = 2;

    scene.quota.count();

    scene.take(prepare("3"));
    scene.assertFull();
  }

  @Test
  void prepareThatTheCountSeesIsAddedOnce() {
    Scene scene = new Scene(2);
    scene.duringCount = () -> scene.take(prepare("1"));
    scene.stored = 1;

    scene.quota.count();

    scene.take(prepare("2"));
    scene.assertFull();
  }

  /** The database has it before the listener hears of it. */
  @Test
  void callUnderWayThatTheCountSeesIsAddedOnce() {
    Scene scene = new Scene(2);
    HalfMessages counting =
        new HalfMessages() {
          @Override
          public List<HalfAnswer> callAll(List<HalfCall> calls) {
            scene.stored = 1;
            scene.quota.count();
            return scene.callAll(calls);
          }

          @Override
          public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
            return scene.states(keys);
          }
        };

    scene.quota.call(counting, List.of(prepare("1")));

    scene.take(prepare("2"));
    scene.assertFull();
  }

  @Test
  void callUnderWayThatIsStoredCountsOnce() {
    Scene scene = new Scene(2);
    scene.afterCall =
        () -> {
          scene.afterCall = () -> {};
          scene.take(prepare("2"));
        };

    scene.take(prepare("1"));

    scene.assertFull();
  }

  @Test
  void startCountsWhatIsThere() {
    Scene scene = new Scene(2);
    Thread starting = Thread.currentThread();
    List<Thread> counting = new CopyOnWriteArrayList<>();
    scene.duringCount = () -> counting.add(Thread.currentThread());
    scene.stored = 2;

    try (UndecidedQuota quota = scene.quota) {
      quota.start();
      scene.assertFull();
    }
    assertThat(counting).contains(starting);
  }

  @Test
  void keyCountsOnceInARequestAndNotAtAllIfItIsDecidedThere() {
    Scene scene = new Scene(1);

    scene.take(prepare("1"), prepare("1"));

    scene.take(prepareAndCommit("2").toArray(HalfCall[]::new));
    scene.take(new HalfCall.Commit(new HalfKey("order", "3"), WhenUnknown.REMEMBER), prepare("3"));
    HalfCall refused = prepareAndCommit("4").get(1);
    assertThatThrownBy(() -> scene.take(refused, prepare("4")))
        .isInstanceOfSatisfying(
            ProblemException.class, problem -> assertThat(problem.calls()).containsExactly(1));
  }

  @Test
  void limitIsChecked() {
    assertThat(ServerStartTest.faults(MAX + "0"))
        .singleElement()
        .asString()
        .startsWith("angarium.server.undecided-max: 0 (expected: 1..1000000");
  }

  @Test
  void aServerWhoseCheckBackRunsElsewhereKeepsTheLimit() {
    try (ServerUnderTest server =
        ServerUnderTest.open(MAX + "1", "angarium.half.check.enabled=false")) {
      assertThat(put(server, "1").statusCode()).isEqualTo(200);
      assertThat(put(server, "2").statusCode()).isEqualTo(429);
    }
  }
}
