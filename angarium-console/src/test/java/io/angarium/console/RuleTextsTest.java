package io.angarium.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.alert.AlertRule;
import io.angarium.alert.StandardRules;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RuleTextsTest {
  private static String resource(String name) throws IOException {
    try (InputStream in = RuleTextsTest.class.getResourceAsStream("/angarium/console/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"en", "zh"})
  void everyRuleHasANameAndSaysWhatToDoInEveryLanguage(String language) throws IOException {
    String texts = resource("i18n/" + language + ".json");
    assertThat(StandardRules.all())
        .extracting(AlertRule::name)
        .allSatisfy(
            rule ->
                assertThat(texts)
                    .contains(
                        "\"alerts.rule.%s\": \"".formatted(rule),
                        "\"alerts.rule.%s.help\": \"".formatted(rule)));
  }

  /** What is wrong with a process stands in the alert itself. */
  @Test
  void everyRuleLeadsToThePageThatShowsIt() throws IOException {
    String page = resource("pages/alerts.js");
    assertThat(StandardRules.all())
        .extracting(AlertRule::name)
        .filteredOn(rule -> !rule.equals("work-not-done"))
        .allSatisfy(rule -> assertThat(page).containsPattern("'?\\b" + rule + "'?: \\("));
  }
}
