package io.angarium.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.env.Environment;

/** Whoever refuses a request, the server, its framework or Tomcat, says it in one form. */
class ServerProblemsTest {
  private static ServerUnderTest server;

  @BeforeAll
  static void start() {
    server = ServerUnderTest.open("angarium.relay.enabled=false");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  /** A client that keeps its connection must not find it closed after a refusal. */
  @Test
  void connectionIsKeptAfterARefusalWhoseBodyNobodyRead() throws IOException {
    String request =
        "PATCH /v1/half-messages/o/1 HTTP/1.1\r\nHost: localhost\r\n"
            + "Content-Type: text/plain\r\nContent-Length: 3\r\n\r\nabc";
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(60_000);
      for (int i = 0; i < 3; i++) {
        socket.getOutputStream().write(request.getBytes(US_ASCII));
        StringBuilder answer = new StringBuilder();
        for (int next = socket.getInputStream().read(); next >= 0 && next != '}'; ) {
          answer.append((char) next);
          next = socket.getInputStream().read();
        }

        assertThat(answer).startsWith("HTTP/1.1 405 ").doesNotContain("Connection: close");
      }
    }
  }

  /** What is sent literally, as clients refuse to send some of it. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "PUT /v1/half-messages/o/1 | Angarium-Destination: log:a;Content-Type: */* | 415 | UNSUPPORTED_MEDIA_TYPE",
        "PUT /v1/half-messages/o/1 | Angarium-Destination: log:a;Content-Type: text/* | 415 | UNSUPPORTED_MEDIA_TYPE",
        "PUT /v1/half-messages/o/1 | Angarium-Destination: log:a;Content-Type: none | 415 | UNSUPPORTED_MEDIA_TYPE",
        "GET / | Content-Type: */* | 415 | UNSUPPORTED_MEDIA_TYPE",
        "GET /v1/half-messages/%zz/1 | X: y | 400 | INVALID",
        "GET /v1/half-messages/o/1 | Accept: image/png | 406 | NOT_ACCEPTABLE",
        "PATCH /v1/half-messages/o/1 | X: y | 405 | METHOD_NOT_ALLOWED",
        "GET /nothing | X: y | 404 | NOT_FOUND",
        "GET /error | X: y | 404 | NOT_FOUND",
        "GET /v1/undecided?limit=many | X: y | 400 | INVALID",
        "GET /<> | X: y | 400 | INVALID",
        "G( / | X: y | 400 | INVALID",
        "PUT /v1/half-messages/o/1 | Transfer-Encoding: foo | 501 | INVALID",
        "CONNECT /v1/half-messages/o/1 | X: y | 501 | INVALID",
        "PUT /v1/half-messages/o/1 | Angarium-Destination: log:a;Angarium-Dealy: PT1H | 422 | INVALID",
        "PUT /v1/half-messages/o/1 | Angarium-Destination: log:a;Angarium-Destination: log:b | 422 | INVALID",
        "PUT /v1/half-messages/o/1 | Angarium-Destination: log:a;Angarium-Headers: a=1,a=2 | 422 | INVALID",
        "PUT /v1/half-messages/o/1 | Angarium-Destination: log:a;Content-Type: text/plain;Angarium-Headers: content-type=a/b | 422 | INVALID",
        "PUT /v1/half-messages/o/1 | Angarium-Destination: log:a;traceparent: a;Angarium-Headers: traceparent=b | 422 | INVALID",
        "PUT /v1/half-messages/o/1 | Angarium-Destination: log:a;Angarium-Business-Key: 1 | 422 | INVALID",
        "GET /v1/half-messages/o/1 | Angarium-Delay: PT1H | 422 | INVALID",
        "POST /v1/half-messages/o/1/commit | Angarium-Delay: PT1H;Content-Length: 0 | 422 | INVALID",
        "PUT /v1/half-messages/o/1 | Angarium-Destination: log:a;traceparent: a;Traceparent: b | 422 | INVALID",
        "PUT /v1/half-messages/o/1 | Angarium-Destination: log:a;Content-Type: a/b;Content-Type: a/b | 422 | INVALID",
        "PUT /v1/half-messages/o/1?delay=PT1H | Angarium-Destination: log:a | 422 | INVALID",
        "POST /v1/half-messages/o/1/commit?when-unknown=refuse&when-unknown=remember | X: y | 422 | INVALID",
        "POST /v1/half-messages/o/1/commit?when-unkown=remember | X: y | 422 | INVALID",
        "GET /v1/half-messages/o/1?x=%zz | X: y | 422 | INVALID",
        "GET /v1/undecided?limit=%zz | X: y | 400 | INVALID",
        "GET /actuator/health/foo | X: y | 404 | NOT_FOUND"
      })
  void everythingThatIsRefusedIsAProblem(String line, String headers, int status, String code) {
    String answer = answer(line, headers);

    assertThat(answer)
        .startsWith("HTTP/1.1 " + status + " ")
        .containsIgnoringCase("content-type: application/problem+json")
        .contains("\"code\":\"" + code + "\"", "\"type\":\"urn:angarium:problem:")
        .doesNotContain("<html", "Tomcat");
  }

  @Test
  void addressThatCannotBeReadIsNoErrorOfTheServer() {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    PrintStream before = System.out;
    System.setOut(new PrintStream(log, true, UTF_8));
    try {
      for (String query : List.of("limit=%zz", "limit=%ff", "a=&".repeat(20_000))) {
        assertThat(answer("GET /v1/undecided?" + query, "X: y")).startsWith("HTTP/1.1 4");
      }
    } finally {
      System.setOut(before);
    }

    assertThat(log.toString(UTF_8)).doesNotContain("ERROR", "Exception");
  }

  @Test
  void versionOfHttpThatNobodyHasIsRefused() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.setSoTimeout(60_000);
      String request = "GET / HTTP/7.0\r\nHost: localhost\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(US_ASCII));

      assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
          .startsWith("HTTP/1.1 505 ")
          .contains("application/problem+json");
    }
  }

  /** A payload is bytes, whatever they mean. */
  @Test
  void charsetThatNobodyKnowsIsTaken() {
    String headers =
        "Angarium-Destination: log:a;Content-Type: text/plain\0 charset=klingon;Content-Length: 0";

    assertThat(answer("PUT /v1/half-messages/o/charset", headers)).startsWith("HTTP/1.1 200 ");
    assertThat(
            answer(
                "POST /v1/half-messages/batch",
                "Content-Type: application/json\0 charset=klingon;Content-Length: 0"))
        .startsWith("HTTP/1.1 400 ");
  }

  /** A single read lasts for as long as one of them trickles. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"1;x=y/a/0//| 400", "1/a/0/X: y//| 400", "1/a/0//| 200"})
  void chunksHaveNoExtensionsAndNoTrailers(String body, int status) {
    String headers = "Angarium-Destination: log:a;Transfer-Encoding: chunked";

    String answer = answer("PUT /v1/half-messages/o/chunks", headers, body.replace("/", "\r\n"));

    assertThat(answer).startsWith("HTTP/1.1 " + status + " ");
  }

  @Test
  void portOfTheManagementAnswersInTheSameForm() {
    try (ServerUnderTest other =
        ServerUnderTest.open(
            "angarium.relay.enabled=false",
            "management.server.port=0",
            "management.server.address=127.0.0.1")) {
      int port =
          other.bean(Environment.class).getRequiredProperty("local.management.port", Integer.class);

      assertThat(answer(port, "GET /nothing", "X: y", ""))
          .startsWith("HTTP/1.1 404 ")
          .containsIgnoringCase("content-type: application/problem+json")
          .contains("\"code\":\"NOT_FOUND\"");
      assertThat(answer(port, "GET /actuator/health", "X: y", "")).startsWith("HTTP/1.1 200 ");
    }
  }

  @Test
  void extensionsArePassedOver() {
    String headers = "Angarium-Ext-Trace: 1;Content-Length: 0";

    assertThat(answer("POST /v1/half-messages/o/1/commit", headers))
        .contains("\"code\":\"UNKNOWN\"");
  }

  private static String answer(String line, String headers) {
    return answer(line, headers, "");
  }

  private static String answer(String line, String headers, String body) {
    return answer(server.port(), line, headers, body);
  }

  private static String answer(int port, String line, String headers, String body) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(60_000);
      String request =
          line
              + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
              + headers.replace(";", "\r\n").replace('\0', ';')
              + "\r\n\r\n"
              + body;
      socket.getOutputStream().write(request.getBytes(US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  /** It would wait for ever. */
  @Test
  void destinationThatNobodySendsToIsRefusedWithThoseThatAreKnown() {
    try (ServerUnderTest sending =
        ServerUnderTest.open("angarium.server.other-transports=rocketmq")) {
      String body = "Content-Length: 0;Angarium-Destination: ";
      String line = "PUT /v1/half-messages/o/1";

      assertThat(answer(sending.port(), line, body + "rocktemq:orders", ""))
          .startsWith("HTTP/1.1 422 ")
          .contains(
              "no server of this centre sends over rocktemq, did you mean rocketmq? (known are log,"
                  + " rocketmq");
      assertThat(answer(sending.port(), line, body + "rocketmq:orders", ""))
          .startsWith("HTTP/1.1 200 ");
    }
  }
}
