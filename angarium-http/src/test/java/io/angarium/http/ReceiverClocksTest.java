package io.angarium.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.http.internal.client.Ending.Answer;
import io.angarium.http.internal.client.Target;
import io.angarium.http.internal.url.WebUrl;
import io.angarium.http.signature.HttpSignature;
import io.angarium.testkit.ManualClock;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.net.http.HttpHeaders;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReceiverClocksTest {
  /** Longer than clocks may differ. */
  private static final Duration RETRY_PAUSE = Duration.ofMinutes(2);

  private static final Duration DIFFERENCE = Duration.ofHours(5);
  private static final HttpSignature SIGNATURE =
      HttpSignature.of(List.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));

  private final ManualClock clock = ManualClock.create();
  private final ReceiverClocks clocks = new ReceiverClocks();
  private final Target target =
      new Target(
          "orders",
          "hook orders",
          "orders",
          WebUrl.parse("https://shop.example/").orElseThrow(),
          Optional.of(SIGNATURE),
          Map.of(),
          Duration.ofSeconds(5),
          false);
  private final Instant constant = clock.instant().plus(DIFFERENCE);

  private SendResult answered(int status, Instant date, Duration signedAhead) {
    String shown = DateTimeFormatter.RFC_1123_DATE_TIME.format(date.atOffset(ZoneOffset.UTC));
    Answer answer =
        new Answer(
            status,
            HttpHeaders.of(Map.of("date", List.of(shown)), (name, value) -> true),
            "",
            true);
    SendResult result =
        status < 300 ? SendResult.ACKNOWLEDGED : new Refused("answered " + status, null);
    return clocks.judged(result, target, answer, clock.instant(), signedAhead);
  }

  private SendResult answered(int status, Instant date) {
    return answered(status, date, clocks.ahead(target));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 401, 403})
  void dateThatDoesNotAdvanceIsFollowedOnce(int status) {
    assertThat(answered(status, constant)).isInstanceOf(Unavailable.class);
    for (int i = 0; i < 3; i++) {
      clock.advance(RETRY_PAUSE);
      assertThat(answered(status, constant)).isInstanceOf(Refused.class);
    }
  }

  /** The receiver takes other messages. */
  @Test
  void dateThatDoesNotAdvanceIsFollowedOnceThoughOthersAreTaken() {
    assertThat(answered(400, constant)).isInstanceOf(Unavailable.class);
    for (int i = 0; i < 3; i++) {
      clock.advance(RETRY_PAUSE);
      answered(204, constant);
      assertThat(answered(400, constant)).isInstanceOf(Refused.class);
    }
  }

  /** As of several servers with clocks of their own. */
  @Test
  void datesThatAreNeverTheSameAreFollowedOnce() {
    assertThat(answered(401, constant)).isInstanceOf(Unavailable.class);
    for (int i = 1; i < 4; i++) {
      assertThat(answered(401, constant.plus(DIFFERENCE.multipliedBy(i))))
          .isInstanceOf(Refused.class);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {302, 404, 410, 413, 422})
  void refusalsOfOtherKindsHaveNothingToDoWithTheClock(int status) {
    assertThat(answered(status, constant)).isInstanceOf(Refused.class);
    assertThat(clocks.ahead(target)).isZero();
  }

  @Test
  void allThatWereSignedBeforeAreSentAgain() {
    Duration before = clocks.ahead(target);

    for (int i = 0; i < 3; i++) {
      assertThat(answered(401, clock.instant().plus(DIFFERENCE), before))
          .isInstanceOf(Unavailable.class);
    }
    assertThat(answered(204, clock.instant().plus(DIFFERENCE))).isEqualTo(SendResult.ACKNOWLEDGED);
    assertThat(answered(401, clock.instant().plus(DIFFERENCE), before))
        .isInstanceOf(Unavailable.class);
  }

  @Test
  void eachJumpIsFollowedOnceTheLastOneHasHelped() {
    for (int i = 1; i < 4; i++) {
      Instant date = clock.instant().plus(DIFFERENCE.multipliedBy(i % 2));
      assertThat(answered(401, date)).isInstanceOf(Unavailable.class);
      answered(204, date);
      clock.advance(RETRY_PAUSE);
    }
  }

  /** For example, the hook had another secret, and its clock is corrected at the same time. */
  @Test
  void refusalSignsByTheOtherClockToo() {
    answered(401, constant);
    clock.advance(RETRY_PAUSE);
    answered(401, clock.instant());

    assertThat(clocks.ahead(target)).isLessThan(Duration.ofSeconds(1));
  }
}
