package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
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
        "steps[0].action | {'gid':'g','trans_type':'msg','steps':[{'action':'topic://t'}],'payloads':['']}",
        "payloads[0] | {'gid':'g','trans_type':'msg','steps':[{'action':'http://HOST/in/a'}]}",
        "concurrent | {'gid':'g','trans_type':'msg','concurrent':true,'steps':[{'action':'http://HOST/in/a'},{'action':'http://HOST/in/b'}],'payloads':['','']}",
        "custom_data | {'gid':'g','trans_type':'msg','custom_data':'soon',STEPS}",
        "branch_headers.Host | {'gid':'g','trans_type':'msg','branch_headers':{'Host':'x'},STEPS}",
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
}
