package io.angarium.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.deadletter.DeadLetterFilter;
import io.angarium.deadletter.Decision;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Filters and decisions are written to logs: no text of theirs may begin a line of its own. */
class DeadLetterFilterTest {
  private static final List<UnaryOperator<String>> USES =
      List.of(
          text -> DeadLetterFilter.of(text).toString(),
          text -> DeadLetterFilter.ALL.reasonHas(text).toString(),
          text -> filter(text, null, null, null),
          text -> filter(null, text, null, null),
          text -> filter(null, null, text, null),
          text -> filter(null, null, null, text),
          text -> new Decision(text, "repaired").toString(),
          text -> new Decision("ann", text).toString());

  private static String filter(String key, String type, String businessType, String businessKey) {
    return new DeadLetterFilter(
            List.of(), key, type, businessType, businessKey, null, null, null, null)
        .toString();
  }

  @ParameterizedTest
  @ValueSource(ints = {'\n', '\r', 0, 0x1b, 0x7f, 0x85, 0x2028, 0x2029})
  void textThatCouldForgeALineOfALogIsRefused(int character) {
    String text = "a" + (char) character + "b";

    assertThat(USES)
        .allSatisfy(
            use ->
                assertThatThrownBy(() -> use.apply(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("line break")
                    .hasMessageNotContaining(text));
  }

  @Test
  void otherTextsOfAnyLanguageAreTaken() {
    assertThat(USES).allSatisfy(use -> assertThat(use.apply("grün 订单")).contains("grün 订单"));
  }
}
