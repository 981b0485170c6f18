package io.angarium.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WildcardTest {
  @ParameterizedTest
  @CsvSource({
    "order, order, true",
    "order, orders, false",
    "order, Order, false",
    "*, '', true",
    "*, anything at all, true",
    "'', '', true",
    "'', a, false",
    "order-*, order-, true",
    "order-*, order-1, true",
    "order-*, reorder-1, false",
    "*-eu, order-eu, true",
    "*-eu, order-eu-1, false",
    "a*b*c, abc, true",
    "a*b*c, a-c-b-c, true",
    "a*b*c, acb, false",
    "ab*ba, aba, false",
    "**, x, true",
    "a.c, abc, false",
  })
  void starStandsForAnyCharacters(String pattern, String text, boolean fits) {
    assertThat(Wildcard.of(pattern).fits(text)).isEqualTo(fits);
  }

  @Test
  void fitsWhatTheSameRegularExpressionFits() {
    Random random = new Random(7);
    int fitting = 0;
    for (int i = 0; i < 20_000; i++) {
      String pattern = some(random, "ab*", 8);
      String text = some(random, "ab\n", 10);
      String expression =
          Arrays.stream(pattern.split("\\*", -1))
              .map(Pattern::quote)
              .collect(Collectors.joining(".*"));
      boolean expected = Pattern.compile(expression, Pattern.DOTALL).matcher(text).matches();

      assertThat(Wildcard.of(pattern).fits(text)).as("%s, %s", pattern, text).isEqualTo(expected);
      fitting += expected ? 1 : 0;
    }
    assertThat(fitting).as("of both kinds").isBetween(2_000, 18_000);
  }

  private static String some(Random random, String letters, int max) {
    return random
        .ints(random.nextInt(max + 1), 0, letters.length())
        .mapToObj(i -> letters.substring(i, i + 1))
        .collect(Collectors.joining());
  }

  /** A regular expression would try more ways than there are atoms. */
  @Test
  void textMeantToKeepItBusyDoesNot() {
    String pattern = "*a".repeat(200) + "*b";

    assertThat(Wildcard.of(pattern).fits("a".repeat(100_000))).isFalse();
  }
}
