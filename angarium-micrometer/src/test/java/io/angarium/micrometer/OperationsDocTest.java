package io.angarium.micrometer;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Keeps docs/operations.md true: its meters, queries, code and log lines exist. */
class OperationsDocTest {
  private static final Path ROOT = Path.of("..");
  private static final Path SNIPPETS =
      Path.of("src/test/java/io/angarium/micrometer/OperationsSnippets.java");
  private static final Pattern LOGGED =
      Pattern.compile(
          "LOG\\s*\\.(?:warn|error)\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*(?:\\+\\s*)?)+)");
  private static final Pattern PUBLISHED =
      Pattern.compile("angarium-[a-z-]+/src/main/java/.*\\.java");
  private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final Pattern DESCRIBED =
      Pattern.compile("^\\| (?:ERROR|WARN) \\| `(.*?)` \\|", Pattern.MULTILINE);

  /** Of these the parts are exported. */
  private static final Set<String> FAMILIES =
      Set.of("angarium_delivery_seconds", "angarium_half_decided_seconds");

  private final String page = read(ROOT.resolve("docs/operations.md"));

  @Test
  void tableHoldsEveryMeterWithItsTagsAndNoOther() {
    List<String> expected = Arrays.stream(OutboxMeter.values()).map(this::row).toList();

    List<String> rows = page.lines().filter(line -> line.startsWith("| `angarium.")).toList();

    assertThat(rows.stream().filter(row -> row.split("\\|").length == 6).toList())
        .containsExactlyElementsOf(expected);
  }

  @Test
  void registryHoldsEveryMeterOfTheTableAndNoOther() {
    SimpleMeterRegistry registry = new SimpleMeterRegistry();
    EveryMeter.use(registry);

    Set<String> registered =
        registry.getMeters().stream()
            .map(Meter::getId)
            .map(id -> id.getName() + tagKeys(id) + id.getType() + id.getDescription())
            .collect(toSet());

    assertThat(registered)
        .containsExactlyInAnyOrderElementsOf(
            Arrays.stream(OutboxMeter.values())
                .map(m -> m.meterName() + m.tagKeys() + m.type() + m.description())
                .toList());
  }

  @Test
  void everySeriesOfTheQueriesIsExported() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    EveryMeter.use(registry);
    Set<String> exported =
        matches("(?m)^(angarium_[a-z_]+)", registry.scrape()).collect(toCollection(TreeSet::new));

    Set<String> queried =
        matches("(?s)```promql\n(.*?)```", page)
            .flatMap(query -> matches("(angarium_[a-z_]+)", query))
            .collect(toSet());
    Set<String> named = matches("`[^`]*?(angarium_[a-z_]+)", page).collect(toSet());

    assertThat(queried).hasSizeGreaterThan(5);
    assertThat(exported).containsAll(queried);
    named.removeAll(FAMILIES);
    assertThat(exported).containsAll(named);
  }

  @Test
  void everyWarningAndErrorIsDescribedAndNoOther() {
    Set<String> logged = logged();

    Set<String> described = matches(DESCRIBED, page).collect(toSet());

    assertThat(logged).hasSizeGreaterThan(10);
    assertThat(described)
        .as("log lines at WARN and ERROR described in docs/operations.md")
        .containsExactlyInAnyOrderElementsOf(logged);
  }

  @Test
  void everyJavaBlockIsCompiled() {
    String compiled = read(SNIPPETS).lines().map(String::strip).collect(joining("\n"));

    List<String> blocks = matches("(?s)```java\n(.*?)```", page).toList();

    assertThat(blocks).hasSize(4);
    for (String each : blocks) {
      String block = each.replaceAll("(?m)^import .*\n+", "");
      assertThat(compiled).contains(block.lines().map(String::strip).collect(joining("\n")));
    }
  }

  private String row(OutboxMeter meter) {
    String tags =
        meter.tagKeys().isEmpty()
            ? "–"
            : meter.tagKeys().stream().map(key -> "`" + key + "`").collect(joining(", "));
    return Stream.of(
            "`" + meter.meterName() + "`",
            "`" + prometheusName(meter) + "`",
            meter.type().name().toLowerCase(Locale.ROOT),
            tags,
            meter.description())
        .collect(joining(" | ", "| ", " |"));
  }

  private static String prometheusName(OutboxMeter meter) {
    String name = meter.meterName().replace('.', '_');
    boolean seconds = meter == OutboxMeter.BACKLOG_OLDEST_AGE || meter.type() == Meter.Type.TIMER;
    return meter.type() == Meter.Type.COUNTER
        ? name + "_total"
        : seconds ? name + "_seconds" : name;
  }

  private static List<String> tagKeys(Meter.Id id) {
    return id.getTags().stream().map(Tag::getKey).toList();
  }

  private static Set<String> logged() {
    Set<String> lines = new TreeSet<>();
    for (Path source : sources()) {
      matches(LOGGED, read(source))
          .map(literals -> matches(LITERAL, literals).collect(joining()))
          .map(String::translateEscapes)
          .forEach(lines::add);
    }
    return lines;
  }

  /** The main sources of the published modules. */
  private static List<Path> sources() {
    try (Stream<Path> files = Files.walk(ROOT)) {
      return files
          .filter(file -> PUBLISHED.matcher(ROOT.relativize(file).toString()).matches())
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<String> matches(String pattern, String text) {
    return matches(Pattern.compile(pattern), text);
  }

  private static Stream<String> matches(Pattern pattern, String text) {
    return pattern.matcher(text).results().map((MatchResult match) -> match.group(1));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
