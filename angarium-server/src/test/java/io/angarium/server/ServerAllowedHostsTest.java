package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.TimeSource;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.server.access.Caller;
import io.angarium.server.calls.CheckBackAddresses;
import io.angarium.server.calls.PermittedHalfMessages;
import io.angarium.server.calls.UndecidedQuota;
import io.angarium.server.dtm.DtmController;
import java.net.URI;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where the producers of one business may be is not where those of another may be. */
class ServerAllowedHostsTest {
  private static final String HTTP = "angarium.half.check.allowed-hosts";
  private static final String GRPC = "angarium.server.check-back.grpc.allowed-hosts";
  private static final String DUBBO = "angarium.server.check-back.dubbo.allowed-addresses";

  private static ServerUnderTest server;

  @BeforeAll
  static void start() {
    server =
        ServerUnderTest.open(
            "angarium.half.check.enabled=false",
            "angarium.server.grpc.enabled=true",
            "angarium.server.grpc.port=0",
            "angarium.server.dtm.enabled=true",
            "angarium.http.allowed-hosts=127.0.0.1:1",
            HTTP + "-of.[*]=all:1",
            HTTP + "-of.[order-*]=shop:1",
            HTTP + "-of.dtm=bank:1",
            GRPC + "-of.[order-*]=shop:2",
            DUBBO + "-of.7=dubbo://shop:3");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static HalfMessage message(String business, String key, String address) {
    return HalfMessage.of(new HalfKey(business, key), Message.of("log:orders", new byte[1]))
        .checkBack(URI.create(address));
  }

  @ParameterizedTest
  @CsvSource({
    "order-paid, http://shop:1/check-back",
    "order-paid, trustmessage+http://shop:1/check-back",
    "order-paid, http://all:1/check-back",
    "payment, http://all:1/check-back",
    "order-paid, grpc://shop:2",
    "7, dubbo://shop:3"
  })
  void whatIsAllowedForABusinessIsTaken(String business, String address) {
    HalfMessage message = message(business, address.replaceAll("[^a-z0-9]", ""), address);

    assertThat(server.half().prepare(message)).isEqualTo(HalfState.PREPARED);
    assertThat(server.grpc(null).prepare(message)).isEqualTo(HalfState.PREPARED);
  }

  @ParameterizedTest
  @CsvSource({
    "payment, http://shop:1/check-back, " + HTTP,
    "payment, trustmessage+http://shop:1/check-back, " + HTTP,
    "order, http://shop:1/check-back, " + HTTP,
    "payment, grpc://shop:2, " + GRPC,
    "8, dubbo://shop:3, " + DUBBO
  })
  void whatIsAllowedForAnotherBusinessIsRefusedByEveryWayIn(
      String business, String address, String property) {
    HalfMessage message = message(business, "refused", address);
    HalfMessages one = server.half();
    HalfMessages overGrpc = server.grpc(null);
    HalfMessages overDubbo =
        new PermittedHalfMessages(
            server.bean(HalfMessages.class),
            Caller.local(TimeSource.SYSTEM),
            server.bean(CheckBackAddresses.class),
            new UndecidedQuota(null, Map::of),
            refusal -> refusal);

    for (HalfMessages half : List.of(one, overGrpc, overDubbo)) {
      assertThatThrownBy(() -> half.callAll(List.of(new HalfCall.Prepare(message))))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining(address.replaceAll(".*//|/.*", ""))
          .hasMessageContaining(property + ", and " + property + "-of.[" + business + "]");
    }
    HttpResponse<String> answered =
        server.send(
            server
                .request("/v1/half-messages/" + business + "/refused")
                .header("Angarium-Destination", "log:orders")
                .header("Angarium-Check-Back", address)
                .PUT(BodyPublishers.ofString("x")));
    assertThat(answered.statusCode()).isEqualTo(422);
    assertThat(answered.body()).contains("INVALID", property + "-of.[" + business + "]");
    assertThat(one.state(message.key())).isEqualTo(HalfState.UNKNOWN);
  }

  @Test
  void batchWithOneSuchAddressHasNoEffect() {
    HalfMessage right = message("order-1", "batch", "http://shop:1/");
    HalfMessage wrong = message("payment", "batch", "http://shop:1/");

    assertThatThrownBy(
            () ->
                server
                    .half()
                    .callAll(List.of(new HalfCall.Prepare(right), new HalfCall.Prepare(wrong))))
        .isInstanceOf(InvalidMessageException.class);

    assertThat(server.half().state(right.key())).isEqualTo(HalfState.UNKNOWN);
  }

  @Test
  void messagesOfDtmHaveTheHostsOfTheirBusiness() {
    assertThat(dtm("bank:1")).isEqualTo(200);
    assertThat(dtm("shop:1")).isEqualTo(422);
  }

  private static int dtm(String host) {
    String json =
        """
        {"gid":"%s","trans_type":"msg","query_prepared":"http://%s/q",
         "steps":[{"action":"http://127.0.0.1:1/in"}],"payloads":["{}"]}\
        """
            .formatted(host.replace(':', '-'), host);
    return server
        .send(
            server
                .request(DtmController.PATH + "/prepare")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json)))
        .statusCode();
  }

  @Test
  void wrongEntriesStopTheStartAndAreListed() {
    assertThat(
            ServerStartTest.faults(
                HTTP + "-of.orders=http://shop",
                HTTP + "-of.[pay-*]=",
                GRPC + "-of.orders=shop",
                DUBBO + "-of.orders=shop:1"))
        .anyMatch(f -> f.startsWith(HTTP + "-of.orders: 'http://shop' (expected: "))
        .anyMatch(f -> f.startsWith(HTTP + "-of.pay-*: none (expected: at least one"))
        .anyMatch(f -> f.startsWith(GRPC + "-of.orders: 'shop' (expected: "))
        .anyMatch(f -> f.startsWith(DUBBO + "-of.orders: 'shop:1' (expected: "))
        .hasSize(4);
  }
}
