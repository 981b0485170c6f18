package io.angarium.http.alert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.alert.Notice;
import io.angarium.alert.Notices;
import io.angarium.alert.Severity;
import io.angarium.http.alert.AlertReceiver.Posted;
import io.angarium.http.alert.HttpAlertConfig.Kind;
import io.angarium.http.alert.HttpAlertConfig.Timing;
import io.angarium.testkit.ManualClock;
import java.io.IOException;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The exact requests of each kind. The clock shows 2026-01-01T00:00:00Z. */
class HttpAlertFormsTest {
  private static final String TEXT =
      "CRITICAL in shop: dead-letters of kafka:orders\\nWhat: Dead messages: 12\\n"
          + "Since: 2025-12-31T23:40:00Z\\nMeaning: Look at the causes, then requeue.";
  private static final String WHSEC = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private final AlertReceiver receiver = new AlertReceiver();

  @AfterEach
  void close() {
    receiver.close();
  }

  private Posted post(Kind kind, String path, String secret, Notices notices) throws IOException {
    return post(HttpAlertConfig.of("ops", kind, receiver.url(path)).secret(secret), notices);
  }

  private Posted post(HttpAlertConfig config, Notices notices) throws IOException {
    try (HttpAlertChannel channel = new HttpAlertChannel(config, null, ManualClock.create())) {
      channel.send(notices);
    }
    Posted posted = receiver.posted().get(receiver.posted().size() - 1);
    assertThat(posted.method()).isEqualTo("POST");
    assertThat(posted.contentType()).isEqualTo("application/json; charset=utf-8");
    return posted;
  }

  @Test
  void webhookIsSignedJson() throws Exception {
    Posted posted = post(Kind.WEBHOOK, "/in", WHSEC, AlertSamples.of(AlertSamples.firing()));

    assertThat(posted.body())
        .isEqualTo(
            """
            {"type":"angarium.alerts","timestamp":"2026-01-01T00:00:00Z","data":{"system":"shop",\
            "title":"CRITICAL in shop: dead-letters of kafka:orders","severity":"critical",\
            "alerts":[{"kind":"firing","rule":"dead-letters","subject":"kafka:orders",\
            "severity":"critical","value":12.0,"text":"Dead messages: 12",\
            "meaning":"Look at the causes, then requeue.","episode":3,\
            "since":"2025-12-31T23:40:00.123456Z",\
            "link":"https://console.example/alerts?a=1&b=2"}],"more":0,\
            "link":"https://console.example/alerts?a=1&b=2"}}""");
    assertThat(posted.timestamp()).isEqualTo("1767225600");
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(
        new SecretKeySpec(Base64.getDecoder().decode(WHSEC.substring("whsec_".length())), "raw"));
    byte[] signed = mac.doFinal((posted.id() + ".1767225600." + posted.body()).getBytes(UTF_8));
    assertThat(posted.signature()).isEqualTo("v1," + Base64.getEncoder().encodeToString(signed));
  }

  @Test
  void webhookWithoutASecretHasAnIdThatDependsOnTheBody() throws IOException {
    Posted first = post(Kind.WEBHOOK, "/", null, AlertSamples.of(AlertSamples.firing()));
    Posted same = post(Kind.WEBHOOK, "/", null, AlertSamples.of(AlertSamples.firing()));
    Posted other = post(Kind.WEBHOOK, "/", null, AlertSamples.of(AlertSamples.resolved()));

    assertThat(first.signature()).isEqualTo("null");
    assertThat(first.id()).hasSize(36).isEqualTo(same.id()).isNotEqualTo(other.id());
    assertThat(other.body())
        .contains("\"kind\":\"resolved\"", "\"resolvedAt\":\"2025-12-31T23:54:30Z\"");
  }

  @Test
  void slackHasEntities() throws IOException {
    Notice notice = AlertSamples.notice(Notice.Kind.FIRING, "kafka:orders", "1 < 2 & 3 > 2");

    Posted posted = post(Kind.SLACK, "/services/T1", null, AlertSamples.of(notice));

    assertThat(posted.body())
        .isEqualTo(
            "{\"text\":\""
                + TEXT.replace("Dead messages: 12", "1 &lt; 2 &amp; 3 &gt; 2")
                + "\\n\\nLink: https://console.example/alerts?a=1&amp;b=2\"}");
  }

  @ParameterizedTest
  @CsvSource({"/robot/send?access_token=t0,access_token=t0&", "/robot/send,''"})
  void dingTalkIsMarkdownSignedInTheAddress(String path, String before) throws IOException {
    receiver.answers(200, "{\"errcode\":0,\"errmsg\":\"ok\"}");

    Posted posted =
        post(Kind.DINGTALK, path, "SECabc0123456789", AlertSamples.of(AlertSamples.firing()));

    assertThat(posted.path()).isEqualTo("/robot/send");
    assertThat(posted.query())
        .isEqualTo(
            before
                + "timestamp=1767225600000&sign=EmTSdG%2FI9Y%2Bt9yg66ClzLgdRG%2BbxXQkgyEajOc8ZIvs%3D");
    assertThat(posted.body())
        .isEqualTo(
            "{\"msgtype\":\"markdown\",\"markdown\":{"
                + "\"title\":\"CRITICAL in shop: dead-letters of kafka:orders\",\"text\":\""
                + TEXT.replace("\\n", "  \\n")
                + "\\n\\n[Link](https://console.example/alerts?a=1&b=2)\"},"
                + "\"at\":{\"isAtAll\":false}}");
  }

  @Test
  void feishuIsTextSignedInTheBody() throws IOException {
    receiver.answers(200, "{\"code\":0,\"data\":{},\"msg\":\"success\"}");

    Posted posted =
        post(Kind.FEISHU, "/hook", "feishuSecret123", AlertSamples.of(AlertSamples.firing()));

    assertThat(posted.body())
        .isEqualTo(
            "{\"timestamp\":\"1767225600\",\"sign\":\"jy+Px55noQfDvjeAe5X9KD731/eYJptt5OD9HHGJ8jE=\","
                + "\"msg_type\":\"text\",\"content\":{\"text\":\""
                + TEXT
                + "\\n\\nLink: https://console.example/alerts?a=1&b=2\"}}");
  }

  @Test
  void robotsWithoutASecretAreNotSigned() throws IOException {
    receiver.answers(200, "{\"code\":0}");
    Notices notices = AlertSamples.of(AlertSamples.firing());

    assertThat(post(Kind.FEISHU, "/hook", null, notices).body()).startsWith("{\"msg_type\"");
    assertThat(post(Kind.DINGTALK, "/hook", null, notices).query()).isEqualTo("null");
  }

  @Test
  void weComIsText() throws IOException {
    receiver.answers(200, "{\"errcode\":0,\"errmsg\":\"ok\"}");

    Posted posted = post(Kind.WECOM, "/send?key=k", null, AlertSamples.of(AlertSamples.firing()));

    assertThat(posted.query()).isEqualTo("key=k");
    assertThat(posted.body())
        .isEqualTo(
            "{\"msgtype\":\"text\",\"text\":{\"content\":\""
                + TEXT
                + "\\n\\nLink: https://console.example/alerts?a=1&b=2\"}}");
  }

  @ParameterizedTest
  @CsvSource({
    "'',/api/v2/alerts",
    "/,/api/v2/alerts",
    "/am,/am/api/v2/alerts",
    "/am/api/v2/alerts/,/am/api/v2/alerts"
  })
  void alertmanagerTakesAnArrayOfAlerts(String base, String path) throws IOException {
    receiver.answers(200, "");
    HttpAlertConfig config =
        HttpAlertConfig.of("ops", Kind.ALERTMANAGER, receiver.url(base))
            .timing(new Timing(Duration.ofSeconds(2), Duration.ofSeconds(5), Duration.ofHours(9)));
    Notices notices = AlertSamples.of(AlertSamples.firing(), AlertSamples.resolved());

    Posted posted = post(config, notices);

    assertThat(posted.path()).isEqualTo(path);
    String alert =
        """
        {"labels":{"alertname":"dead-letters","severity":"critical","subject":"kafka:orders",\
        "system":"shop"},"annotations":{"summary":"Dead messages: 12",\
        "description":"Look at the causes, then requeue."},\
        "startsAt":"2025-12-31T23:40:00.123456Z","endsAt":"%s",\
        "generatorURL":"https://console.example/alerts?a=1&b=2"}""";
    assertThat(posted.body())
        .isEqualTo(
            "["
                + alert.formatted("2026-01-01T09:00:00Z")
                + ","
                + alert.formatted("2025-12-31T23:54:30Z")
                + "]");
  }

  /** Alertmanager would show both otherwise. */
  @Test
  void alertOfAnotherSeverityEndsTheFormerAtAlertmanager() throws IOException {
    receiver.answers(200, "");
    HttpAlertConfig config = HttpAlertConfig.of("ops", Kind.ALERTMANAGER, receiver.url(""));
    Notice first = AlertSamples.firing();
    Notice worse = new Notice(first.kind(), first.alert(), first.meaning(), Severity.WARNING);
    Notice same = new Notice(first.kind(), first.alert(), first.meaning(), Severity.CRITICAL);

    assertThat(post(config, AlertSamples.of(worse)).body())
        .contains("\"severity\":\"critical\"", "\"endsAt\":\"2026-01-01T00:15:00Z\"")
        .contains("\"severity\":\"warning\"", "\"endsAt\":\"2026-01-01T00:00:00Z\"");
    assertThat(post(config, AlertSamples.of(same)).body()).containsOnlyOnce("\"labels\"");
  }

  @Test
  void alertmanagerIsToldAgainBeforeItTakesAnAlertForOver() {
    HttpAlertConfig config = HttpAlertConfig.of("ops", Kind.ALERTMANAGER, receiver.url(""));
    HttpAlertConfig chat = HttpAlertConfig.of("room", Kind.SLACK, receiver.url(""));
    try (HttpAlertChannel told = new HttpAlertChannel(config);
        HttpAlertChannel read = new HttpAlertChannel(chat)) {
      assertThat(told.renewal()).isEqualTo(config.timing().firing().dividedBy(4));
      assertThat(read.renewal()).isNull();
    }
  }

  @Test
  void testAtAlertmanagerEndsSoonAndNothingEndsBeforeItsStart() throws IOException {
    receiver.answers(200, "");
    Notice test = AlertSamples.notice(Notice.Kind.TEST, "outbox", "This is a test");
    HttpAlertConfig config = HttpAlertConfig.of("ops", Kind.ALERTMANAGER, receiver.url(""));
    ManualClock late = ManualClock.create().jumpWall(Duration.ofDays(-1));

    assertThat(post(config, new Notices("shop", List.of(test), 0, "no link")).body())
        .contains("\"endsAt\":\"2026-01-01T00:05:00Z\"")
        .doesNotContain("generatorURL");
    try (HttpAlertChannel channel = new HttpAlertChannel(config, null, late)) {
      channel.send(AlertSamples.of(test));
    }

    assertThat(receiver.posted().get(1).body())
        .contains("\"endsAt\":\"2025-12-31T23:40:00.123456Z\"");
  }
}
