package io.angarium.console.internal.payload;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.console.internal.payload.PayloadView.View;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PayloadViewTest {
  private static final Masking MASKING = new Masking(Set.of("Shoe-Size"));

  private static PayloadView shown(String payload, View view, boolean reveal) {
    byte[] bytes = payload.getBytes(UTF_8);
    return PayloadView.of(bytes, bytes.length, view, 0, MASKING, reveal);
  }

  @Test
  void numbersKeepTheirDigitsAndRepeatedFieldsAreShownTwice() {
    PayloadView view =
        shown("{\"id\":90071992547409931234,\"id\":1.10,\"a\":[],\"b\":{}}", View.AUTO, false);

    assertThat(view.view()).isEqualTo(View.JSON);
    assertThat(view.text())
        .isEqualTo(
            "{\n  \"id\": 90071992547409931234,\n  \"id\": 1.10,\n  \"a\": [],\n  \"b\": {}\n}");
  }

  @Test
  void valuesOfMaskedNamesAreReplacedWithEverythingBelowThem() {
    PayloadView view =
        shown(
            "{\"card_number\":\"4111\",\"x\":[{\"Password\":{\"old\":\"a\"}}],\"shoeSize\":44,"
                + "\"手机\":\"139\",\"token\":null}",
            View.AUTO,
            false);

    assertThat(view.text())
        .doesNotContain("4111", "old", "44", "139")
        .contains("\"token\": null")
        .contains("\"Password\": \"••••\"");
    assertThat(view.maskedFields())
        .containsExactlyInAnyOrder("card_number", "Password", "shoeSize", "手机");
  }

  /** Otherwise another view would be a way around the mask. */
  @ParameterizedTest
  @EnumSource(View.class)
  void noViewShowsMaskedValuesUnlessTheyAreRevealed(View wanted) {
    PayloadView view = shown("{\"password\":\"swordfish\"}", wanted, false);

    assertThat(view.text()).doesNotContain("swordfish", "73776f726466697368");
  }

  @Test
  void revealedPayloadsAreShownAsTheyAre() {
    String json = "{\"password\":\"swordfish\"}";

    assertThat(shown(json, View.TEXT, true).text()).isEqualTo(json);
    assertThat(shown(json, View.JSON, true).text()).contains("swordfish");
    assertThat(shown("AB", View.HEX, true).text()).isEqualTo("4142");
  }

  @Test
  void whatIsNeitherJsonNorTextIsOnlyMeasuredUntilItIsRevealed() {
    byte[] bytes = {0, 1, (byte) 0xff};

    PayloadView hidden = PayloadView.of(bytes, 3, View.HEX, 0, MASKING, false);
    PayloadView revealed = PayloadView.of(bytes, 3, View.AUTO, 0, MASKING, true);

    assertThat(hidden.view()).isEqualTo(View.BINARY);
    assertThat(hidden.text()).isNull();
    assertThat(hidden.sha256()).hasSize(64);
    assertThat(revealed.view()).isEqualTo(View.HEX);
    assertThat(revealed.text()).isEqualTo("0001ff");
  }

  /** A part of JSON cannot be masked. */
  @Test
  void beginOfALargePayloadIsNotShownUnlessItIsRevealed() {
    byte[] begin = "{\"password\":\"swordfish\"".getBytes(UTF_8);

    assertThat(PayloadView.of(begin, 5_000_000, View.AUTO, 0, MASKING, false).text()).isNull();
    assertThat(PayloadView.of(begin, 5_000_000, View.AUTO, 0, MASKING, true).text())
        .contains("swordfish");
  }

  @Test
  void longTextComesInPartsThatEndBetweenCharacters() {
    String text = "é".repeat(PayloadView.PART_MAX - 1) + "😀" + "end";
    byte[] bytes = text.getBytes(UTF_8);

    PayloadView first = PayloadView.of(bytes, bytes.length, View.AUTO, 0, MASKING, false);
    Long next = first.next();
    assertThat(next).isNotNull();
    PayloadView second = PayloadView.of(bytes, bytes.length, View.AUTO, next, MASKING, false);

    assertThat(first.text() + second.text()).isEqualTo(text);
    assertThat(second.next()).isNull();
  }
}
