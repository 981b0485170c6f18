package io.angarium.http.signature;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class HttpSignatureTest {
  /** The example of the Standard Webhooks libraries. */
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private static final String ID = "msg_p5jXN8AQM9LWM0D4loKWxJek";
  private static final String TIMESTAMP = "1614265330";
  private static final Instant TIME = Instant.ofEpochSecond(1_614_265_330);
  private static final byte[] BODY = "{\"test\": 2432232314}".getBytes(UTF_8);
  private static final String SIGNED = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";

  private static final String NEWER = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";

  private final HttpSignature signature = HttpSignature.of(List.of(SECRET));

  @Test
  void signsAsTheExampleOfTheScheme() {
    assertThat(signature.sign(ID, TIME.plusMillis(999), BODY)).isEqualTo(SIGNED);
  }

  @Test
  void takesTheExampleOfTheScheme() {
    assertThat(signature.verify(ID, TIMESTAMP, SIGNED, BODY, TIME)).isTrue();
  }

  @Test
  void theSecretMayComeWithoutItsPrefix() {
    HttpSignature bare = HttpSignature.of(List.of(SECRET.substring("whsec_".length())));

    assertThat(bare.sign(ID, TIME, BODY)).isEqualTo(SIGNED);
  }

  @ParameterizedTest
  @CsvSource({
    "msg_other, 1614265330, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='",
    "msg_p5jXN8AQM9LWM0D4loKWxJek, 1614265331, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='",
    "msg_p5jXN8AQM9LWM0D4loKWxJek, 1614265330, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OA='",
    "msg_p5jXN8AQM9LWM0D4loKWxJek, 1614265330, 'v2,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='",
    "msg_p5jXN8AQM9LWM0D4loKWxJek, 1614265330, 'v1,'",
    "msg_p5jXN8AQM9LWM0D4loKWxJek, 1614265330, ''",
    "msg_p5jXN8AQM9LWM0D4loKWxJek, soon, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE='",
    "msg_p5jXN8AQM9LWM0D4loKWxJek, 99999999999999, 'v1,x'",
    "msg_p5jXN8AQM9LWM0D4loKWxJek, 9223372036854775807, 'v1,x'"
  })
  void doesNotTakeWhatDiffersInOnePart(String id, String timestamp, String signatures) {
    assertThat(signature.verify(id, timestamp, signatures, BODY, TIME)).isFalse();
  }

  @Test
  void doesNotTakeAnotherBodyOrAnotherSecret() {
    byte[] other = "{\"test\": 2432232315}".getBytes(UTF_8);

    assertThat(signature.verify(ID, TIMESTAMP, SIGNED, other, TIME)).isFalse();
    assertThat(HttpSignature.of(List.of(NEWER)).verify(ID, TIMESTAMP, SIGNED, BODY, TIME))
        .isFalse();
  }

  @Test
  void doesNotTakeARequestThatLacksAHeader() {
    assertThat(signature.verify(null, TIMESTAMP, SIGNED, BODY, TIME)).isFalse();
    assertThat(signature.verify(ID, null, SIGNED, BODY, TIME)).isFalse();
    assertThat(signature.verify(ID, TIMESTAMP, null, BODY, TIME)).isFalse();
  }

  @Test
  void doesNotTakeWhatIsTooOldOrFromTheFuture() {
    Duration most = HttpSignature.TOLERANCE_DEFAULT;

    assertThat(signature.verify(ID, TIMESTAMP, SIGNED, BODY, TIME.plus(most))).isTrue();
    assertThat(signature.verify(ID, TIMESTAMP, SIGNED, BODY, TIME.minus(most))).isTrue();
    assertThat(signature.verify(ID, TIMESTAMP, SIGNED, BODY, TIME.plus(most).plusSeconds(1)))
        .isFalse();
    assertThat(signature.verify(ID, TIMESTAMP, SIGNED, BODY, TIME.minus(most).minusSeconds(1)))
        .isFalse();
    HttpSignature patient = signature.tolerance(Duration.ofHours(1));
    assertThat(patient.verify(ID, TIMESTAMP, SIGNED, BODY, TIME.plusSeconds(3_000))).isTrue();
  }

  @Test
  void secretsCanBeChangedWithoutAGap() {
    HttpSignature both = HttpSignature.of(List.of(NEWER, SECRET));
    HttpSignature newer = HttpSignature.of(List.of(NEWER));

    String signed = both.sign(ID, TIME, BODY);

    assertThat(signed).endsWith(" " + SIGNED).matches("v1,\\S+ v1,\\S+");
    assertThat(signature.verify(ID, TIMESTAMP, signed, BODY, TIME)).isTrue();
    assertThat(newer.verify(ID, TIMESTAMP, signed, BODY, TIME)).isTrue();
    assertThat(both.verify(ID, TIMESTAMP, SIGNED, BODY, TIME)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "whsec_", "secret!", "whsec_c2hvcnQ=", "whsec_&&&"})
  void doesNotTakeOtherFormsOfSecretsAndDoesNotShowThem(String secret) {
    assertThatThrownBy(() -> HttpSignature.of(List.of(SECRET, secret)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("secrets[1]: a secret (expected: whsec_")
        .hasMessageNotContaining("&&&")
        .hasMessageNotContaining("secret!");
  }

  @Test
  void doesNotTakeNoSecretOrNoTolerance() {
    assertThatThrownBy(() -> HttpSignature.of(List.of()))
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> signature.tolerance(Duration.ZERO))
        .isInstanceOf(ConfigurationException.class);
  }

  @Test
  void itsTextHidesTheSecrets() {
    assertThat(signature.toString()).isEqualTo("HttpSignature[secrets=1, tolerance=PT5M]");
  }
}
