package io.angarium.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.http.HttpConfig.Timing;
import io.angarium.intake.StoredMessage;
import io.angarium.testkit.ManualClock;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The rules of RFC 9110 and RFC 9112 for answers, against a receiver that writes what others do.
 */
class HttpAnswerRulesTest {
  private static final Timing PATIENT =
      new Timing(
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofSeconds(30),
          Duration.ofMinutes(5));

  private final ManualClock clock = ManualClock.create();

  private HttpTransport open(RawReceiver receiver, boolean retryRefused) {
    HttpHook hook = HttpHook.of("hook", receiver.url()).retryRefused(retryRefused);
    return HttpTransport.open(HttpConfig.of(hook).timing(PATIENT), clock, null);
  }

  private SendResult result(RawReceiver receiver) {
    try (receiver;
        HttpTransport transport = open(receiver, false)) {
      return Messages.result(transport, Messages.to("hook"));
    }
  }

  /** Twice, as what an answer leaves in its connection must not answer the next message. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "204 No Content|Content-Length: 5||hello", // a 204 has no body, whatever it says
        "204 No Content|Transfer-Encoding: chunked||5|hello|0||",
        "204 No Content|Transfer-Encoding: chunked||",
        "204 No Content||",
        "200|Content-Length: 0||", // no reason
        "200 |Content-Length: 0||",
        "205 Reset Content|Content-Length: 5||hello",
        "206 Partial Content|Content-Length: 0||",
        "299 Odd|Content-Length: 0||", // as 200
        "200 OK|content-LENGTH:5||hello",
        "200 OK|Content-Length: 5, 5||hello", // counts as one
        "200 OK|Content-Length: 5|Content-Length: 5||hello",
        "200 OK|Content-Length: 500|Transfer-Encoding: chunked||5|hello|0||", // chunks count
        "200 OK|Transfer-Encoding: Chunked||5;a=b|hello|0|X-Trailer: 1||",
        "200 OK|X-Folded: a|  b|Content-Length: 0||",
        "100 Continue||HTTP/1.1 200 OK|Content-Length: 0||",
        "102 Processing||HTTP/1.1 204 No Content||",
        "103 Early Hints|Link: </x>||HTTP/1.1 103 Early Hints||HTTP/1.1 204 No Content||",
        "199 Odd||HTTP/1.1 200 OK|Content-Length: 0||"
      })
  void successOfEachFormIsBelieved(String answer) {
    try (RawReceiver receiver = RawReceiver.of("HTTP/1.1 " + answer);
        HttpTransport transport = open(receiver, false)) {
      for (int count = 1; count <= 2; count++) {
        assertThat(Messages.result(transport, Messages.to("hook")))
            .isEqualTo(SendResult.ACKNOWLEDGED);
        assertThat(receiver.posts()).hasSize(count);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"HTTP/1.1 200 OK||hello", "HTTP/1.0 200 OK||hello"})
  void bodyMayEndWithTheConnection(String answer) {
    assertThat(result(RawReceiver.closing(answer))).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "200 OK|Content-Length: 50||hello", // incomplete
        "200 OK|Transfer-Encoding: chunked||5|hello|",
        "200 OK|Content-Length: five||hello", // no length
        "200 OK|Content-Length: 5, 6||hello",
        "600 Odd|Content-Length: 0||", // as 500
        "999 Odd|Content-Length: 0||",
        "599 Odd|Content-Length: 0||",
        "421 Misdirected Request|Content-Length: 0||", // another connection may help
        "413 Content Too Large|Retry-After: 60|Content-Length: 0||" // it may pass
      })
  void whatMayPassIsTriedAgain(String answer) {
    assertThat(result(RawReceiver.closing("HTTP/1.1 " + answer))).isInstanceOf(Failed.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "304 Not Modified|Content-Length: 5||", // has no body, whatever it says
        "304 Not Modified|Transfer-Encoding: chunked||",
        "300 Multiple Choices|Content-Length: 0||",
        "399 Odd|Content-Length: 0||", // as 300
        "499 Odd|Content-Length: 0||", // as 400
        "401 Unauthorized|Content-Length: 0||",
        "407 Proxy Authentication Required|Content-Length: 0||",
        "413 Content Too Large|Content-Length: 0||",
        "400 Bad Request|Content-Length: 50||hello", // the status is there
        "400 Bad Request|Transfer-Encoding: chunked||zz|hello",
        "400 Bad Request|Content-Length: five||hello"
      })
  void refusalOfEachFormIsBelieved(String answer) {
    assertThat(result(RawReceiver.closing("HTTP/1.1 " + answer)))
        .asInstanceOf(type(Refused.class))
        .extracting(Refused::reason)
        .asString()
        .contains("answered " + answer.substring(0, 3))
        .doesNotContain("nowhere");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "Retry-After: 60; Thu, 01 Jan 1970 00:00:00 GMT; 60",
        "Retry-After:|  60; Thu, 01 Jan 1970 00:00:00 GMT; 60",
        "retry-after: Sun, 06 Nov 1994 08:50:37 GMT; Sun, 06 Nov 1994 08:49:37 GMT; 60",
        "Retry-After: Sunday, 06-Nov-94 08:50:37 GMT; Sunday, 06-Nov-94 08:49:37 GMT; 60",
        "Retry-After: Sun Nov  6 08:50:37 1994; Sun Nov  6 08:49:37 1994; 60",
        "Retry-After: Sunday, 06-Nov-94 08:50:37 GMT; Sun, 06 Nov 1994 08:49:37 GMT; 60"
      })
  void pauseIsReadInEachForm(String retryAfter, String date, long seconds) {
    String answer = "HTTP/1.1 503 Busy|%s|Date: %s|Content-Length: 0||";
    try (RawReceiver receiver = RawReceiver.of(answer.formatted(retryAfter, date));
        HttpTransport transport = open(receiver, false)) {
      Messages.result(transport, Messages.to("hook"));
      clock.advance(Duration.ofSeconds(seconds).minusMillis(1));
      Messages.result(transport, Messages.to("hook"));
      assertThat(receiver.posts()).as("not asked again").hasSize(1);

      clock.advance(Duration.ofMillis(1));
      Messages.result(transport, Messages.to("hook"));
      assertThat(receiver.posts()).hasSize(2);
    }
  }

  @Test
  void goneStopsTheDestinationAndIsAskedAgainAfterTheLongestPause() {
    try (RawReceiver receiver = RawReceiver.of("HTTP/1.1 410 Gone|Content-Length: 0||");
        HttpTransport transport = open(receiver, false)) {
      assertGone(Messages.result(transport, Messages.to("hook")));
      clock.advance(PATIENT.pauseMax().minusMillis(1));
      assertGone(Messages.result(transport, Messages.to("hook")));
      assertThat(receiver.posts()).hasSize(1);

      clock.advance(Duration.ofMillis(1));
      assertGone(Messages.result(transport, Messages.to("hook")));
      assertThat(receiver.posts()).hasSize(2);
    }
  }

  /** Addresses may come one for each order: they would wait and ring for ever. */
  @Test
  void addressThatIsGoneRefuses() {
    try (RawReceiver receiver = RawReceiver.of("HTTP/1.1 410 Gone|Content-Length: 0||");
        HttpTransport transport = open(receiver, false)) {
      assertThat(Messages.result(transport, Messages.to(receiver.url())))
          .asInstanceOf(type(Refused.class))
          .extracting(Refused::reason)
          .asString()
          .contains("answered 410");
    }
  }

  private static void assertGone(SendResult result) {
    assertThat(result)
        .asInstanceOf(type(Unavailable.class))
        .extracting(Unavailable::reason)
        .asString()
        .contains("answered 410", "gone for good");
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 404, 409, 422, 499})
  void hookThatRetriesRefusalsUsesUpAttempts(int status) {
    String answer = "HTTP/1.1 " + status + " No|Content-Length: 0||";
    try (RawReceiver receiver = RawReceiver.of(answer);
        HttpTransport transport = open(receiver, true)) {
      assertThat(Messages.result(transport, Messages.to("hook")))
          .asInstanceOf(type(Failed.class))
          .extracting(Failed::reason)
          .asString()
          .contains("answered " + status);
    }
  }

  @Test
  void hookThatRetriesRefusalsRetriesNoRedirect() {
    try (RawReceiver receiver = RawReceiver.of("HTTP/1.1 308 No|Content-Length: 0||");
        HttpTransport transport = open(receiver, true)) {
      assertThat(Messages.result(transport, Messages.to("hook"))).isInstanceOf(Refused.class);
    }
  }

  @ParameterizedTest
  @CsvSource({"431, 10", "431, 9000", "400, 9000"})
  void headersThatAreTooLargeAreNamed(int status, int bytes) {
    String answer = "HTTP/1.1 " + status + " Too Large|Content-Length: 0||";
    assertThat(refusal(answer, bytes))
        .containsPattern("its headers have (" + (bytes < 1_000 ? "\\d{3}" : "9\\d{3}") + ") bytes")
        .contains("raise the receiver's limit for headers");
  }

  @Test
  void headersOfUsualSizeAreNotNamed() {
    assertThat(refusal("HTTP/1.1 400 No|Content-Length: 0||", 5_000)).doesNotContain("headers");
  }

  private String refusal(String answer, int headerBytes) {
    try (RawReceiver receiver = RawReceiver.of(answer);
        HttpTransport transport = open(receiver, false)) {
      StoredMessage plain = Messages.to("hook");
      StoredMessage message =
          Messages.of(plain.message().header("tenant", "x".repeat(headerBytes)));
      Results results = new Results();
      transport.send(List.of(message), results);
      SendResult result = results.next().result();
      assertThat(result).isInstanceOf(Refused.class);
      return ((Refused) result).reason();
    }
  }
}
