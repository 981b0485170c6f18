package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The samples of the READMEs compile as they are printed, with this generation of Spring Boot; so
 * do those of other pages that need Spring.
 */
class ReadmeSamplesTest {
  private static final String OPERATORS =
      """
      interface Operators {
        void call(String text);
      }
      """;

  @ParameterizedTest
  @ValueSource(strings = {"README.md", "README.zh-CN.md"})
  void everySampleOfAReadmeCompiles(String page, @TempDir Path folder) throws IOException {
    List<String> samples = Samples.of(page);

    assertThat(samples).as("one for Spring, one for plain JDBC").hasSize(2);
    assertThat(samples)
        .allSatisfy(
            sample -> assertThat(Samples.complaints(folder, List.of(sample))).isEmpty());
  }

  @Test
  void sampleOfReconciliationsCompiles(@TempDir Path folder) throws IOException {
    String text = Files.readString(Path.of("..", "..", "docs", "reconciliation.md"));
    String part = text.substring(text.indexOf("## With Spring Boot"), text.indexOf("## How it wo"));

    assertThat(Samples.in(part))
        .singleElement()
        .satisfies(
            sample ->
                assertThat(Samples.complaints(folder, List.of(sample + OPERATORS)))
                    .isEmpty());
  }
}
