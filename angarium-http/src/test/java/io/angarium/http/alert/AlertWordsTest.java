package io.angarium.http.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.alert.Alert;
import io.angarium.alert.AlertKey;
import io.angarium.alert.AlertState;
import io.angarium.alert.AlertText;
import io.angarium.alert.Notice;
import io.angarium.alert.Notices;
import io.angarium.alert.Severity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The plain text of notices. */
class AlertWordsTest {
  @Test
  void noticeSaysEverything() {
    assertThat(AlertText.of(AlertSamples.firing()))
        .isEqualTo(
            """
            CRITICAL: dead-letters of kafka:orders
            What: Dead messages: 12
            Since: 2025-12-31T23:40:00Z
            Meaning: Look at the causes, then requeue.""");
    assertThat(AlertText.of(AlertSamples.resolved()))
        .isEqualTo(
            """
            RECOVERED (critical): dead-letters of kafka:orders
            Was: Dead messages: 12
            Since: 2025-12-31T23:40:00Z, recovered after 14 min
            Meaning: Look at the causes, then requeue.""");
    assertThat(AlertText.of(AlertSamples.notice(Notice.Kind.REMINDER, "outbox", "x")))
        .startsWith("STILL CRITICAL: dead-letters of outbox\n");
    assertThat(AlertText.of(AlertSamples.notice(Notice.Kind.TEST, "outbox", "x")))
        .startsWith("TEST: ");
  }

  @Test
  void noticesNameTheSystemAndEndWithTheLink() {
    Notices notices =
        new Notices(
            "shop", List.of(AlertSamples.firing(), AlertSamples.resolved()), 3, AlertSamples.LINK);

    assertThat(AlertText.of(notices))
        .startsWith("CRITICAL in shop: dead-letters of kafka:orders\nWhat: ")
        .contains("\n\nRECOVERED (critical) in shop: dead-letters of kafka:orders\nWas: ")
        .endsWith("\n\nMore alerts follow: 3\n\nLink: " + AlertSamples.LINK);
    assertThat(AlertText.of(new Notices("shop", List.of(AlertSamples.firing()), 0, null)))
        .endsWith("requeue.");
  }

  @Test
  void linkOpensTheAlertInTheConsole() {
    String console = "https://shop.example/console/";
    Notice first = AlertSamples.notice(Notice.Kind.FIRING, "kafka:a&b=c d", "x");
    String alert = console + "?page=alerts&rule=dead-letters&subject=kafka%3Aa%26b%3Dc+d";

    assertThat(AlertText.of(new Notices("shop", List.of(first), 0, console)))
        .endsWith("\n\nLink: " + alert);
    Notices two = new Notices("shop", List.of(first, AlertSamples.firing()), 0, console);
    assertThat(two.address()).isEqualTo(console + "?page=alerts");
    assertThat(two.address(first)).isEqualTo(alert);
    assertThat(new Notices("shop", List.of(first), 1, console).address())
        .isEqualTo(console + "?page=alerts");
  }

  /** Chats do not link what is longer than 500 characters. */
  @Test
  void linkOfALongSubjectOpensItsRule() {
    Notice notice = AlertSamples.notice(Notice.Kind.FIRING, "\u6b7b".repeat(300), "x");

    assertThat(new Notices("shop", List.of(notice), 0, "https://c/").address())
        .isEqualTo("https://c/?page=alerts&rule=dead-letters");
  }

  @Test
  void testAndAnAddressOfYoursAreLinkedAsTheyAre() {
    Notice test = AlertSamples.notice(Notice.Kind.TEST, "outbox", "x");

    assertThat(new Notices("shop", List.of(test), 0, "https://c/").address())
        .isEqualTo("https://c/?page=alerts");
    assertThat(new Notices("shop", List.of(AlertSamples.firing()), 0, "https://c/#x").address())
        .isEqualTo("https://c/#x");
    assertThat(new Notices("shop", List.of(test), 0, null).address()).isNull();
  }

  @Test
  void titleIsOneShortLine() {
    assertThat(AlertText.title(AlertSamples.of(AlertSamples.firing())))
        .isEqualTo("CRITICAL in shop: dead-letters of kafka:orders");
    assertThat(AlertText.title(AlertSamples.of(AlertSamples.firing(), AlertSamples.resolved())))
        .isEqualTo("CRITICAL in shop: 2 alerts, 1 of them recovered");
    assertThat(AlertText.title(AlertSamples.of(AlertSamples.resolved(), AlertSamples.resolved())))
        .isEqualTo("RECOVERED in shop: 2 alerts, 2 of them recovered");
    assertThat(AlertText.title(new Notices("shop", List.of(AlertSamples.firing()), 4, null)))
        .isEqualTo("CRITICAL in shop: 5 alerts");
    Notice warning =
        new Notice(Notice.Kind.FIRING, with(AlertSamples.firing().alert(), Severity.WARNING), "");
    assertThat(AlertText.title(AlertSamples.of(AlertSamples.resolved(), warning)))
        .isEqualTo("WARNING in shop: 2 alerts, 1 of them recovered");
    String hostile = "a\r\nBcc: b" + "\ud83d\ude00".repeat(140);
    Notice notice = AlertSamples.notice(Notice.Kind.FIRING, hostile, "x");
    assertThat(AlertText.title(new Notices(hostile, List.of(notice), 0, null)))
        .hasSizeLessThanOrEqualTo(250)
        .doesNotContain("\n", "\r")
        .doesNotContainPattern("[\ud800-\udbff](?![\udc00-\udfff])");
  }

  private static Alert with(Alert alert, Severity severity) {
    return new Alert(
        alert.key(),
        alert.state(),
        severity,
        alert.value(),
        alert.text(),
        alert.episode(),
        alert.since(),
        null,
        null,
        null);
  }

  @ParameterizedTest
  @CsvSource({
    "-5,0 s",
    "59,59 s",
    "60,1 min",
    "3599,59 min",
    "3600,1 h",
    "11100,3 h 5 min",
    "86400,1 d",
    "190000,2 d 4 h"
  })
  void timeUntilTheRecoveryIsInWords(long seconds, String words) {
    Alert alert =
        new Alert(
            new AlertKey("rule", "outbox"),
            AlertState.RESOLVED,
            Severity.INFO,
            1,
            "x",
            1,
            Instant.EPOCH,
            Instant.EPOCH,
            Instant.EPOCH.plus(Duration.ofSeconds(seconds)),
            null);

    assertThat(AlertText.of(new Notice(Notice.Kind.RESOLVED, alert, "")))
        .endsWith("Since: 1970-01-01T00:00:00Z, recovered after " + words);
  }
}
