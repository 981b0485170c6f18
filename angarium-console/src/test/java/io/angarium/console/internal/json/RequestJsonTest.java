package io.angarium.console.internal.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.console.internal.problem.Problem;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RequestJsonTest {
  record Inner(@Nullable String type, @Nullable String key) {}

  record Request(
      @Nullable String text,
      @Nullable Integer number,
      @Nullable Boolean truth,
      @Nullable List<String> texts,
      @Nullable Inner inner,
      @Nullable List<Inner> inners) {}

  private final RequestJson json = new RequestJson();

  private Request read(String text) {
    return json.read(text.getBytes(UTF_8), Request.class);
  }

  @Test
  void everyPartIsReadAndAMissingOneIsNull() {
    Request read =
        read(
            "{\"number\":7,\"truth\":false,\"texts\":[\"a\",\"b\"],\"inner\":{\"key\":\"k\"},"
                + "\"inners\":[{},{\"type\":\"t\",\"key\":null}]}");

    assertThat(read)
        .isEqualTo(
            new Request(
                null,
                7,
                false,
                List.of("a", "b"),
                new Inner(null, "k"),
                List.of(new Inner(null, null), new Inner("t", null))));
  }

  /** A misspelt filter must not mean everything. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"txt\":\"a\"}|unknown field 'txt' (expected: text, number, truth, texts, inner, inners)",
        "{\"inner\":{\"kind\":1}}|unknown field 'inner.kind' (expected: type, key)",
        "{\"text\":1}|text: another type (expected: a text)",
        "{\"number\":\"1\"}|number: another type (expected: a whole number)",
        "{\"number\":1.5}|number: another type (expected: a whole number)",
        "{\"number\":99999999999}|number: too large (expected: a whole number below 2147483648)",
        "{\"truth\":\"true\"}|truth: another type (expected: true or false)",
        "{\"texts\":\"a\"}|texts: no list (expected: a list)",
        "{\"texts\":[null]}|texts: null in the list (expected: values)",
        "{\"inner\":[]}|inner: another type (expected: an object)",
        "[]|body: no JSON object (expected: text, number, truth, texts, inner, inners)",
        "{} {}|body: more than one JSON object (expected: one)",
      })
  void whatDoesNotFitIsNamed(String body, String detail) {
    assertThatThrownBy(() -> read(body)).isInstanceOf(Problem.class).hasMessage(detail);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"text\":\"a\",\"text\":\"b\"}",
        "{\"text\":",
        "nonsense",
        "{\"text\":\"\\ud800\"}x"
      })
  void whatIsNoJsonIsRefused(String body) {
    assertThatThrownBy(() -> read(body)).isInstanceOf(Problem.class).hasMessageContaining("JSON");
  }
}
