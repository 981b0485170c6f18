package io.angarium.http.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.TimeSource;
import io.angarium.http.alert.HttpAlertConfig.Kind;
import io.angarium.http.alert.HttpAlertConfig.Timing;
import io.angarium.testservers.FreePort;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** What becomes of answers, and of none. */
@Timeout(60)
class HttpAlertAnswersTest {
  private static final String PATH = "/robot/tokenInThePath42?access_token=hush77&x=1";
  private static final String SECRET = "SECabc0123456789";

  private final AlertReceiver receiver = new AlertReceiver();

  @AfterEach
  void close() {
    receiver.close();
  }

  private HttpAlertConfig config(Kind kind, Duration answer) {
    HttpAlertConfig config =
        HttpAlertConfig.of(
            "ops", kind, receiver.url(kind == Kind.ALERTMANAGER ? "/tokenInThePath42" : PATH));
    boolean signs = kind == Kind.DINGTALK || kind == Kind.FEISHU;
    return config
        .secret(signs ? SECRET : null)
        .timing(new Timing(Duration.ofSeconds(2), answer, Duration.ofDays(1)));
  }

  private IOException failure(Kind kind) {
    return failure(config(kind, Duration.ofSeconds(5)));
  }

  private static IOException failure(HttpAlertConfig config) {
    try (HttpAlertChannel channel = new HttpAlertChannel(config)) {
      IOException failure =
          catchThrowableOfType(
              IOException.class, () -> channel.send(AlertSamples.of(AlertSamples.firing())));
      assertThat(failure).isNotNull();
      return failure;
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "DINGTALK; {\"errcode\":310000,\"errmsg\":\"sign not match\"}; 310000: sign not match",
        "WECOM; {\"errmsg\":\"api freq out of limit\",\"errcode\":45009}; 45009: api freq out of",
        "FEISHU; {\"code\":19021,\"data\":{\"a\":[1]},\"msg\":\"sign fail\"}; 19021: sign fail",
        "FEISHU; {\"StatusCode\":0,\"code\":9499,\"msg\":\"Bad Request\"}; 9499: Bad Request"
      })
  void robotThatRefusesIsAFailure(Kind kind, String answer, String why) {
    receiver.answers(200, answer);

    assertThat(failure(kind)).hasMessageContaining("refused with " + why);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"DINGTALK;<html>Sign in</html>", "FEISHU;{}", "WECOM;[0]", "WECOM;{\"errcode\":"})
  void answerOfSomethingElseIsAFailure(Kind kind, String answer) {
    receiver.answers(200, answer);

    assertThat(failure(kind)).hasMessageContaining("no answer of a robot");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "DINGTALK;{\"errcode\":0,\"errmsg\":\"ok\"}",
        "WECOM;{\"errcode\":0}",
        "FEISHU;{\"StatusCode\":0,\"StatusMessage\":\"success\",\"code\":0,\"msg\":\"success\"}",
        "SLACK;ok",
        "WEBHOOK;''",
        "ALERTMANAGER;''"
      })
  void successIsSuccess(Kind kind, String answer) {
    receiver.answers(200, answer);
    try (HttpAlertChannel channel = new HttpAlertChannel(config(kind, Duration.ofSeconds(5)))) {
      assertThatCode(() -> channel.send(AlertSamples.of(AlertSamples.firing())))
          .doesNotThrowAnyException();
      assertThat(channel.name()).isEqualTo("ops");
      assertThat(channel.direct()).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void statusOfAnErrorIsAFailureThatShowsTheText(Kind kind) {
    receiver.answers(500, "out of\norder");

    assertThat(failure(kind))
        .hasMessageMatching(
            "channel ops at http://127\\.0\\.0\\.1:\\d+: answered 500: out of order");
  }

  @Test
  void redirectIsNotFollowed() {
    receiver.answers(
        exchange -> {
          exchange.getResponseHeaders().set("location", receiver.url("/elsewhere?token=abcd99"));
          AlertReceiver.answer(exchange, 307, "");
        });

    assertThat(failure(Kind.WEBHOOK))
        .hasMessageContaining("answered 307; redirects are not followed")
        .hasMessageNotContaining("elsewhere");
    assertThat(receiver.posted()).hasSize(1);
  }

  @Test
  void receiverThatHangsIsLeftAfterTheTimeOut() {
    receiver.answers(exchange -> receiver.hang());
    long start = TimeSource.SYSTEM.nanoTime();

    IOException failure = failure(config(Kind.SLACK, Duration.ofMillis(200)));

    assertThat(failure).hasMessageEndingWith(": no answer within 200ms");
    assertThat(Duration.ofNanos(TimeSource.SYSTEM.nanoTime() - start))
        .isBetween(Duration.ofMillis(200), Duration.ofSeconds(30));
  }

  @Test
  void receiverThatHangsAmidItsAnswerIsLeftAsWell() {
    receiver.answers(
        exchange -> {
          exchange.sendResponseHeaders(200, 100);
          exchange.getResponseBody().write('o');
          exchange.getResponseBody().flush();
          receiver.hang();
        });

    assertThat(failure(config(Kind.SLACK, Duration.ofMillis(200))))
        .hasMessageContaining("no answer within 200ms");
  }

  @Test
  void endlessAnswerIsNotReadToItsEnd() {
    receiver.answers(
        exchange -> {
          exchange.sendResponseHeaders(500, 0);
          while (true) {
            exchange.getResponseBody().write(new byte[8192]);
          }
        });

    assertThat(failure(Kind.SLACK)).hasMessageContaining("answered 500");
  }

  @Test
  void nobodyThere() {
    int port = FreePort.find();

    IOException failure =
        failure(HttpAlertConfig.of("ops", Kind.SLACK, "http://127.0.0.1:" + port + PATH));

    assertThat(failure).hasMessageStartingWith("channel ops at http://127.0.0.1:" + port + ": ");
  }

  @Test
  void interruptEndsTheWaitAndStays() {
    receiver.answers(exchange -> receiver.hang());
    Thread.currentThread().interrupt();

    IOException failure = failure(Kind.SLACK);

    assertThat(Thread.interrupted()).isTrue();
    assertThat(failure).hasMessageContaining("interrupted");
  }

  @Test
  void closedChannelTellsNobody() {
    HttpAlertChannel channel = new HttpAlertChannel(config(Kind.SLACK, Duration.ofSeconds(5)));
    channel.close();
    channel.close();

    assertThat(
            catchThrowableOfType(
                IOException.class, () -> channel.send(AlertSamples.of(AlertSamples.firing()))))
        .hasMessageContaining("the HTTP client is closed");
    assertThat(receiver.posted()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(value = Kind.class, names = "ALERTMANAGER", mode = EnumSource.Mode.EXCLUDE)
  void secretsThatTheReceiverRepeatsDoNotShow(Kind kind) {
    receiver.answers(
        exchange ->
            AlertReceiver.answer(
                exchange,
                403,
                "no %s; hush77 tokenInThePath42 %s".formatted(exchange.getRequestURI(), SECRET)));

    IOException failure = failure(kind);

    assertThat(failure).hasMessageContaining("answered 403: no ***");
    assertHidden(kind, String.valueOf(failure));
  }

  @Test
  void secretsInTheTextOfARefusalDoNotShow() {
    receiver.answers(
        200, "{\"errcode\":300001,\"errmsg\":\"hush77 of tokenInThePath42 is invalid\"}");

    IOException failure = failure(Kind.DINGTALK);

    assertThat(failure).hasMessageEndingWith("refused with 300001: *** of *** is invalid");
  }

  private static void assertHidden(Kind kind, String text) {
    assertThat(text).doesNotContain("hush77", "tokenInThePath42", "access_token", "sign=");
    if (kind == Kind.DINGTALK || kind == Kind.FEISHU) {
      assertThat(text).doesNotContain(SECRET);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void secretsShowInNoText(Kind kind) {
    HttpAlertConfig config = config(kind, Duration.ofSeconds(5));
    try (HttpAlertChannel channel = new HttpAlertChannel(config)) {
      assertHidden(kind, config + " " + channel);
      assertThat(channel.toString()).contains("name=ops, kind=" + kind);
    }
  }
}
