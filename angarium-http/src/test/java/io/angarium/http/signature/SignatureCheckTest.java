package io.angarium.http.signature;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.confirmation.ReceiptIntake;
import io.angarium.half.CheckBack;
import io.angarium.half.Verdict;
import io.angarium.http.ReceiptsEndpoint;
import io.angarium.http.check.CheckBackEndpoint;
import io.angarium.testkit.ManualClock;
import io.angarium.testtransports.NotedReceipts;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What an operator reads when requests are refused as they are not signed. */
final class SignatureCheckTest {
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");
  private static final byte[] BODY = "hush".getBytes(UTF_8);

  private final HttpSignature signature =
      HttpSignature.of(List.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));
  private final HttpSignature other =
      HttpSignature.of(List.of("whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="));
  private final ManualClock clock = ManualClock.create();
  private final SignatureCheck check = new SignatureCheck("Receipts", clock);
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final PrintStream before = System.err;

  @BeforeEach
  void readTheLog() {
    System.setErr(new PrintStream(log, true, UTF_8));
  }

  @AfterEach
  void leaveTheLog() {
    System.setErr(before);
  }

  private static Map<String, String> headers(HttpSignature by, Instant time) {
    return new HashMap<>(
        Map.of(
            HttpSignature.ID,
            "an-id",
            HttpSignature.TIMESTAMP,
            Long.toString(time.getEpochSecond()),
            HttpSignature.SIGNATURE,
            by.sign("an-id", time, BODY)));
  }

  private boolean passes(Map<String, String> headers) {
    return check.passes(signature, headers::get, BODY, NOW);
  }

  /** What was logged since the last look. */
  private List<String> warnings() {
    List<String> lines = log.toString(UTF_8).lines().filter(line -> line.contains("WARN")).toList();
    log.reset();
    return lines;
  }

  private void assertRefused(Map<String, String> headers, String reason) {
    clock.advance(SignatureCheck.WARNING_PAUSE);

    assertThat(passes(headers)).isFalse();

    assertThat(warnings())
        .singleElement()
        .asString()
        .endsWith("Receipts over HTTP are refused with 401: " + reason);
  }

  @Test
  void theReasonIsSaidAndNothingOfTheRequest() {
    for (String header : List.of(HttpSignature.SIGNATURE, HttpSignature.TIMESTAMP, "webhook-id")) {
      Map<String, String> headers = headers(signature, NOW);
      headers.remove(header);
      assertRefused(headers, "a request has no header " + header);
    }
    String wrong =
        "a request is signed with none of the secrets here, or its body was changed on the way";
    assertRefused(headers(other, NOW), wrong);
    assertRefused(
        headers(signature, NOW.minusSeconds(423)),
        "the time of a request is 423s before that of the clock here (expected: up to 5m)");
    assertRefused(
        headers(signature, NOW.plusSeconds(423)),
        "the time of a request is 423s after that of the clock here (expected: up to 5m)");
    // a time that nobody has signed is a stranger's, and no sign of a wrong clock
    assertRefused(headers(other, NOW.minusSeconds(423)), wrong);
  }

  @Test
  void whatIsSignedPassesWithoutAWord() {
    assertThat(passes(headers(signature, NOW))).isTrue();
    assertThat(warnings()).isEmpty();
  }

  @Test
  void strangersDoNotFloodTheLogNorHideAWrongClock() {
    for (int i = 0; i < 100; i++) {
      assertThat(passes(Map.of())).isFalse();
      assertThat(passes(headers(other, NOW))).isFalse();
    }
    assertThat(passes(headers(signature, NOW.minusSeconds(423)))).isFalse();
    assertThat(warnings()).hasSize(3);

    clock.advance(SignatureCheck.WARNING_PAUSE.minus(Duration.ofNanos(1)));
    assertThat(passes(Map.of())).isFalse();
    assertThat(warnings()).isEmpty();

    clock.advance(Duration.ofNanos(1));
    assertThat(passes(Map.of())).isFalse();
    assertThat(warnings()).hasSize(1);
  }

  @Test
  void bothEndpointsSayWhatTheyRefuse() {
    ReceiptsEndpoint receipts = new ReceiptsEndpoint(new ReceiptIntake(new NotedReceipts(0)));
    CheckBack nobody = key -> Verdict.UNKNOWN;
    CheckBackEndpoint checkBacks = new CheckBackEndpoint(Map.of("order-paid", nobody));

    assertThat(receipts.acceptSigned(signature, name -> null, BODY, NOW)).isEqualTo(401);
    assertThat(checkBacks.answerSigned(signature, name -> null, BODY, NOW).status()).isEqualTo(401);

    assertThat(warnings())
        .satisfiesExactly(
            line -> assertThat(line).contains("Receipts over HTTP are refused with 401: a request"),
            line -> assertThat(line).contains("Check-backs over HTTP are refused with 401: a req"));
  }
}
