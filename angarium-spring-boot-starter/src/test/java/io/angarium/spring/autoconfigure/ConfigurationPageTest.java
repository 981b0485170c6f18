package io.angarium.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * docs/configuration.md has a row for each property, and the defaults and ranges there are
 * generated from the code. What people should know besides is written by hand.
 */
class ConfigurationPageTest {
  private static final Path PAGE = Path.of("..", "docs", "configuration.md");

  /** Name, what stands for it in Java, default, range, and when to change it. */
  private static final Pattern ROW =
      Pattern.compile(
          "^\\| `(angarium\\.[a-z.<>-]+)(?:\\.\\*)?` \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\| ([^|]+) \\|$",
          Pattern.MULTILINE);

  private static final Pattern RANGE = Pattern.compile("^`[^`]*\\.\\.[^`]*`");

  private final Map<String, String> types = PropertyMetadata.types();

  @Test
  void everyPropertyHasItsRowAndNoOther() throws IOException {
    List<String> rows = new ArrayList<>();
    for (MatchResult row : ROW.matcher(Files.readString(PAGE)).results().toList()) {
      rows.add(propertyOf(row));
    }

    assertThat(rows).containsExactlyInAnyOrderElementsOf(new TreeSet<>(types.keySet()));
  }

  @Test
  void defaultsAndRangesAreThoseOfTheCode() throws IOException {
    PropertySurvey survey = new PropertySurvey();
    String page = Files.readString(PAGE);

    String generated = ROW.matcher(page).replaceAll(row -> rowOf(row, survey));

    assertThat(types.keySet())
        .as("properties whose range the code tells when it is tried")
        .filteredOn(name -> survey.range(name, types.get(name)).isPresent())
        .hasSizeGreaterThan(60);

    if (Boolean.getBoolean("angarium.docs.write")) {
      Files.writeString(PAGE, generated);
      page = generated;
    }
    assertThat(page)
        .as("run this test with -Dangarium.docs.write=true to write the page anew")
        .isEqualTo(generated);
  }

  private String rowOf(MatchResult row, PropertySurvey survey) {
    String name = propertyOf(row);
    String type = types.getOrDefault(name, String.class.getName());
    String standard =
        survey.standard(name, type).map(value -> "`" + value + "`").orElse(row.group(3));
    String range =
        survey
            .range(name, type)
            .map(ends -> withRange(row.group(4), "`" + ends + "`"))
            .orElse(row.group(4));
    return Matcher.quoteReplacement(
        row.group()
            .replace(
                " | " + row.group(3) + " | " + row.group(4) + " | ",
                " | " + standard + " | " + range + " | "));
  }

  /** What is said of the range besides stays. */
  private static String withRange(String told, String range) {
    Matcher before = RANGE.matcher(told);
    return before.find() ? range + told.substring(before.end()) : range;
  }

  private static String propertyOf(MatchResult row) {
    return row.group(1).replace("<name>", "any");
  }
}
