package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What our own clients put into one request, the server takes: it limits names and fields, too. */
class ServerManyHeadersTest {
  private static final int MESSAGES = 10_000;
  private static final int HEADERS = 120;

  private static ServerUnderTest server;

  @BeforeAll
  static void start() {
    server =
        ServerUnderTest.open(
            "angarium.relay.enabled=false",
            "angarium.server.grpc.enabled=true",
            "angarium.server.grpc.port=0");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void tenThousandMessagesWithManyHeadersArePreparedOverHttp() {
    assertPrepared(server.half(), "http");
  }

  @Test
  void tenThousandMessagesWithManyHeadersArePreparedOverGrpc() {
    try (var half = server.grpc(null)) {
      assertPrepared(half, "grpc");
    }
  }

  private static void assertPrepared(HalfMessages half, String business) {
    Map<String, String> headers = new HashMap<>();
    for (int i = 0; i < HEADERS; i++) {
      headers.put("h" + i, "1");
    }
    Message message = Message.of("log:orders", new byte[0]).headers(Headers.of(headers));
    List<HalfCall> calls = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      HalfKey key = new HalfKey(business, "" + i);
      calls.add(new HalfCall.Prepare(HalfMessage.of(key, message)));
    }

    assertThat(half.callAll(calls))
        .hasSize(MESSAGES)
        .allSatisfy(answer -> assertThat(answer.state()).isEqualTo(HalfState.PREPARED));
  }
}
