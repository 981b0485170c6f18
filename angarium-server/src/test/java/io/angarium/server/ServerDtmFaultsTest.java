package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Destination;
import io.angarium.Headers;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.TimeSource;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.WhenUnknown;
import io.angarium.server.access.Caller;
import io.angarium.server.calls.CheckBackAddresses;
import io.angarium.server.calls.PermittedHalfMessages;
import io.angarium.server.calls.UndecidedQuota;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What clients of dtm may want and the server cannot do. */
class ServerDtmFaultsTest {
  private static final String HOST = "127.0.0.1:1";

  private static ServerUnderTest server;

  @BeforeAll
  static void start() {
    server =
        ServerUnderTest.open(
            "angarium.server.dtm.enabled=true",
            "angarium.http.allowed-hosts=" + HOST,
            "angarium.half.check.allowed-hosts=" + HOST);
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "trans_type | {'gid':'g','trans_type':'saga'}",
        "gid | {'trans_type':'msg'}",
        "gid | {'gid':'a#b','trans_type':'msg'}",
        "steps | {'gid':'g','trans_type':'msg','query_prepared':'http://HOST/query'}",
        "query_prepared | {'gid':'g','trans_type':'msg',STEPS}",
        "wait_result | {'gid':'g','trans_type':'msg','wait_result':true,STEPS}",
        "timeout_to_fail | {'gid':'g','trans_type':'msg','timeout_to_fail':7,STEPS}",
        "retry_interval | {'gid':'g','trans_type':'msg','retry_interval':7,STEPS}",
        "request_timeout | {'gid':'g','trans_type':'msg','request_timeout':7,STEPS}",
        "protocol | {'gid':'g','trans_type':'msg','protocol':'grpc',STEPS}",
        "steps[0].action |"
            + " {'gid':'g','trans_type':'msg','steps':[{'action':'topic://t'}],'payloads':['']}",
        "payloads[0] | {'gid':'g','trans_type':'msg','steps':[{'action':'http://HOST/in/a'}]}",
        "concurrent |"
            + " {'gid':'g','trans_type':'msg','concurrent':true,'steps':[{'action':'http://HOST/in/a'},{'action':'http://HOST/in/b'}],'payloads':['','']}",
        "custom_data | {'gid':'g','trans_type':'msg','custom_data':'soon',STEPS}",
        "branch_headers.Host | {'gid':'g','trans_type':'msg','branch_headers':{'Host':'x'},STEPS}",
        "branch_headers | {'gid':'g','trans_type':'msg','branch_headers':['x'],STEPS}",
        "branch_headers.TE | {'gid':'g','trans_type':'msg','branch_headers':{'TE':'x'},STEPS}",
        "branch_headers.Transfer-Encoding |"
            + " {'gid':'g','trans_type':'msg','branch_headers':{'Transfer-Encoding':'chunked'},STEPS}",
        "branch_headers.trailer |"
            + " {'gid':'g','trans_type':'msg','branch_headers':{'trailer':'x'},STEPS}",
        "branch_headers.Keep-Alive |"
            + " {'gid':'g','trans_type':'msg','branch_headers':{'Keep-Alive':'x'},STEPS}",
        "branch_headers.Proxy-Any |"
            + " {'gid':'g','trans_type':'msg','branch_headers':{'Proxy-Any':'x'},STEPS}",
        "payloads[0] |"
            + " {'gid':'g','trans_type':'msg','query_prepared':'http://HOST/q','steps':[{'action':'http://HOST/in/a'}],'payloads':['\\uD800']}",
        "gid | {'gid':'g\\uD800','trans_type':'msg','query_prepared':'http://HOST/q',STEPS}",
        "no JSON | nothing"
      })
  void whatCannotBeCarriedIsAFaultThatNamesIt(String field, String form) {
    String json =
        form.replace("STEPS", "'steps':[{'action':'http://HOST/in/a'}],'payloads':['']")
            .replace("HOST", HOST)
            .replace('\'', '"');

    HttpResponse<String> answer =
        server.send(
            server
                .request("/api/dtmsvr/prepare")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString(json)));

    assertThat(answer.statusCode()).isEqualTo(422);
    assertThat(answer.body()).contains("\"dtm_result\":\"FAILURE\"", field);
    assertThat(server.bean(HalfMessages.class).state(new HalfKey("dtm", "g")))
        .isEqualTo(HalfState.UNKNOWN);
  }

  private static HttpResponse<String> prepare(String key, String destination, String headers) {
    return server.send(
        server
            .request("/v1/half-messages/dtm/" + key)
            .header("Content-Type", "application/json")
            .header("Angarium-Destination", destination)
            .header("Angarium-Headers", headers)
            .PUT(BodyPublishers.ofString("{}")));
  }

  /** As the steps after a step are called unchecked, and replaced by whoever has their key. */
  @Test
  void stepsOfDtmComeByTheCallsOfDtmAlone() {
    List<HttpResponse<String>> refused =
        List.of(
            prepare("g", "dtm:http://" + HOST + "/in/a", "a=b"),
            prepare("g", "log:a", "dtm-more=1"),
            prepare("g", "log:a", "DTM-Branch=01"),
            prepare("g%2302", "log:a", "a=b"),
            server.send(
                server
                    .request("/v1/half-messages/dtm/g%2302/rollback?when-unknown=remember")
                    .POST(BodyPublishers.noBody())));

    assertThat(refused).allMatch(each -> each.statusCode() == 422 && each.body().contains("dtm"));
    assertThat(prepare("plain", "log:a", "a=b").statusCode()).isEqualTo(200);
    assertThat(server.bean(HalfMessages.class).state(new HalfKey("dtm", "g#02")))
        .isEqualTo(HalfState.UNKNOWN);
  }

  @Test
  void stepsOfDtmDoNotComeOverGrpcOrDubboEither() {
    HalfKey plain = new HalfKey("dtm", "by another way");
    Message step = Message.of("dtm:http://" + HOST + "/in/a", new byte[0]);
    Message header = Message.of("log:a", new byte[0]).headers(Headers.of(Map.of("Dtm-Op", "x")));
    Message other = Message.of("log:a", new byte[0]);
    try (ServerUnderTest all = withEveryWay()) {
      String key = ServerUnderTest.KEY;
      for (HalfMessages half : List.of(all.grpc(key), all.dubbo(key))) {
        assertInvalid(() -> half.prepare(HalfMessage.of(plain, step)), "destination: dtm:http");
        assertInvalid(() -> half.prepare(HalfMessage.of(plain, header)), "header: Dtm-Op");
        assertInvalid(
            () -> half.prepare(HalfMessage.of(new HalfKey("dtm", "g#02"), other)), "key: g#02");
        assertInvalid(
            () -> half.rollback(new HalfKey("dtm", "g#02"), WhenUnknown.REMEMBER), "key: g#02");

        assertThat(half.state(plain)).isEqualTo(HalfState.UNKNOWN);
        assertThat(half.state(new HalfKey("dtm", "g#02"))).isEqualTo(HalfState.UNKNOWN);
      }
    }
  }

  /** With a key, as nothing comes over Dubbo without. */
  private static ServerUnderTest withEveryWay() {
    return ServerUnderTest.guarded(
        "jdbc:h2:mem:dtm-ways",
        "sa",
        "",
        "angarium.server.dtm.enabled=true",
        "angarium.server.grpc.enabled=true",
        "angarium.server.grpc.port=0",
        "angarium.server.dubbo.enabled=true",
        "angarium.server.dubbo.trust-message.enabled=false",
        "angarium.server.dubbo.port=" + DubboShop.freePort(),
        "angarium.http.allowed-hosts=" + HOST,
        "angarium.half.check.allowed-hosts=" + HOST);
  }

  private static void assertInvalid(ThrowingCallable call, String detail) {
    assertThatThrownBy(call)
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining(detail);
  }

  @Test
  void stepsOfDtmDoNotComeThroughIntakesEither() {
    HalfMessages half = server.bean(HalfMessages.class);
    HalfMessages intake =
        new PermittedHalfMessages(
            half,
            Caller.local(TimeSource.SYSTEM),
            server.bean(CheckBackAddresses.class),
            new UndecidedQuota(null, Map::of),
            refusal -> refusal);
    HalfKey key = new HalfKey("dtm", "g");
    Message step = Message.of(Destination.parse("dtm:http://" + HOST + "/in/a"), new byte[0]);

    assertThatThrownBy(() -> intake.prepare(HalfMessage.of(key, step)))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("destination: dtm:");
    assertThatThrownBy(() -> intake.rollback(new HalfKey("dtm", "g#02"), WhenUnknown.REMEMBER))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("key: g#02");
  }

  @Test
  void bodyThatWouldMakeALargeTreeIsRefused() {
    HttpResponse<String> answer =
        server.send(
            server
                .request("/api/dtmsvr/prepare")
                .POST(BodyPublishers.ofString("[" + "[],".repeat(400_000) + "[]]")));

    assertThat(answer.statusCode()).isEqualTo(413);
  }
}
