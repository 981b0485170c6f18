package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.store.StoreException;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A business that decides nothing does not fill the database. */
class UndecidedQuotaTest {
  private static final String MAX = "angarium.server.undecided-max=";

  private static HalfMessage message(String business, String key) {
    return HalfMessage.of(new HalfKey(business, key), Message.of("log:orders", new byte[1]));
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
      assertThat(refused.body())
          .contains("\"code\":\"TOO_MANY\"")
          .contains(
              "business order has 3 undecided half messages (expected: at most 3, set by"
                  + " angarium.server.undecided-max): commit or roll back what is open");
      assertThat(put(server, "1").statusCode()).as("a repeat").isEqualTo(200);
      assertThat(half.prepare(message("bill", "1"))).as("another").isEqualTo(HalfState.PREPARED);
      assertThat(half.state(new HalfKey("order", "4"))).isEqualTo(HalfState.UNKNOWN);

      half.rollback(new HalfKey("order", "2"));

      assertThat(put(server, "4").statusCode()).isEqualTo(200);
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

  @Test
  void limitIsChecked() {
    assertThat(ServerStartTest.faults(MAX + "0"))
        .singleElement()
        .asString()
        .startsWith("angarium.server.undecided-max: 0 (expected: 1..1000000");
  }
}
