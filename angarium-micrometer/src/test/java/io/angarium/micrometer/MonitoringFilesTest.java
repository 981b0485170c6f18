package io.angarium.micrometer;

import static java.util.stream.Collectors.toCollection;
import static java.util.stream.Collectors.toMap;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.testservers.PrometheusServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.yaml.snakeyaml.Yaml;

/**
 * Keeps docs/monitoring true: what its files name is measured, and they say what the manual says.
 */
class MonitoringFilesTest {
  private static final Path ROOT = Path.of("..");
  private static final Path FOLDER = ROOT.resolve("docs/monitoring");
  private static final String RULES = "prometheus-rules.yml";
  private static final String RULES_TEST = "prometheus-rules-test.yml";
  private static final String DASHBOARD = "grafana-angarium.json";

  /** Prometheus itself gives these to every series. */
  private static final Set<String> OF_THE_SCRAPE = Set.of("job", "instance");

  private static final Pattern SERIES = Pattern.compile("^(angarium_\\w+)(?:\\{(.*)})? ");
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"");
  private static final Pattern OF_THE_SERVER =
      Pattern.compile("^\\| `angarium\\.server\\.[^`]+` \\| `(\\w+)` \\| \\w+ \\| ([^|]+) \\|");

  /** A rule of the file. */
  private record Rule(
      String alert,
      String expr,
      String hold,
      Map<String, String> labels,
      Map<String, String> annotations) {}

  // ---- the rules

  @Test
  void everyMetricAndLabelOfTheRulesIsMeasured() {
    Map<String, Set<String>> measured = measured();

    for (Rule rule : rules()) {
      assertMeasured(measured, rule.alert(), rule.expr());
    }
  }

  @Test
  void rulesAreTheAlertsOfTheManualAndNoOther() {
    List<Rule> rules = rules();
    List<String> rows = section("## Alerts").filter(line -> line.startsWith("| ")).skip(1).toList();
    List<String> below =
        section("## Alerts").filter(line -> line.matches(".*angarium_.*[^|]$")).toList();

    assertThat(rows).hasSizeGreaterThan(15);
    assertThat(rules.stream().map(Rule::alert))
        .containsExactlyElementsOf(rows.stream().map(MonitoringFilesTest::alertOf).toList());
    for (int i = 0; i < rows.size(); i++) {
      Rule rule = rules.get(i);
      String when = cell(rows.get(i), 2);
      String expr = when.startsWith("see below") ? "see below" : "`" + rule.expr() + "`";
      assertThat(when).isEqualTo(expr + (rule.hold().isEmpty() ? "" : ", " + rule.hold()));
      if (when.startsWith("see below")) {
        assertThat(below).as(rule.alert()).contains(rule.expr());
      }
    }
  }

  private static String cell(String row, int number) {
    return row.split("\\|", -1)[number].strip();
  }

  /** {@code Hand-over fails} is {@code AngariumHandOverFails}. */
  private static String alertOf(String row) {
    return Stream.of(cell(row, 1).split("[^A-Za-z]+", -1))
        .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
        .collect(Collectors.joining("", "Angarium", ""));
  }

  @Test
  void everyRuleSaysHowBadItIsAndWhatToDo() {
    for (Rule rule : rules()) {
      assertThat(rule.labels()).as(rule.alert()).containsOnlyKeys("severity");
      assertThat(rule.labels().get("severity")).isIn("critical", "warning", "info");
      assertThat(rule.annotations())
          .as(rule.alert())
          .containsOnlyKeys("summary", "description", "runbook_url");
      assertThat(rule.annotations().get("summary"))
          .startsWith("{{ $labels.job }}: ")
          .doesNotEndWith(".");
      assertThat(rule.annotations().get("description")).endsWith(".");
      assertThat(anchorIsThere(rule.annotations().get("runbook_url"))).as(rule.alert()).isTrue();
      Set<String> shown = new HashSet<>();
      Matcher label = Pattern.compile("\\$labels\\.(\\w+)").matcher(rule.annotations().toString());
      while (label.find()) {
        shown.add(label.group(1));
      }
      PromExpression expression = PromExpression.parse(rule.expr());
      Set<String> kept = new HashSet<>(expression.groups());
      if (kept.isEmpty()) {
        kept.addAll(OF_THE_SCRAPE);
      }
      assertThat(kept).as(rule.alert()).containsAll(shown);
    }
  }

  private static boolean anchorIsThere(String url) {
    String base = "https://github.com/angarium/angarium/blob/main/";
    assertThat(url).startsWith(base);
    String[] parts = url.substring(base.length()).split("#", -1);
    String page = read(ROOT.resolve(parts[0]));
    return parts.length == 1
        || page.lines()
            .filter(line -> line.startsWith("#"))
            .map(line -> line.replaceAll("^#+ ", "").toLowerCase(java.util.Locale.ROOT))
            .map(line -> line.replaceAll("[^a-z0-9 -]", "").replace(' ', '-'))
            .anyMatch(parts[1]::equals);
  }

  @Test
  void everyRuleIsTested() {
    String tests = read(FOLDER.resolve(RULES_TEST));

    for (Rule rule : rules()) {
      String asked = "ALERTS{alertname=\"" + rule.alert() + "\", alertstate=\"firing\"}'";
      assertThat(tests.split(Pattern.quote(asked), -1)).as(rule.alert()).hasSize(3);
    }
  }

  @Test
  @RequiresServer(Server.PROMETHEUS)
  void promtoolAcceptsTheRulesAndPassesTheirTests() {
    assertThat(PrometheusServer.promtool(FOLDER, "check", "rules", RULES)).contains("SUCCESS");
    assertThat(PrometheusServer.promtool(FOLDER, "test", "rules", RULES_TEST)).contains("SUCCESS");
  }

  // ---- the dashboard

  @Test
  void everyMetricAndLabelOfTheDashboardIsMeasured() {
    Map<String, Set<String>> measured = measured();

    List<String> expressions = expressions();

    assertThat(expressions).hasSizeGreaterThan(40);
    expressions.forEach(expression -> assertMeasured(measured, DASHBOARD, expression));
    for (Map<String, Object> variable : variables()) {
      Matcher asked =
          Pattern.compile("label_values\\((.*), (\\w+)\\)")
              .matcher(String.valueOf(variable.get("definition")));
      if (asked.matches()) {
        assertMeasured(
            measured, DASHBOARD, "max by (" + asked.group(2) + ") (" + asked.group(1) + ")");
      }
    }
  }

  @Test
  void everyMeterHasItsPlaceInTheDashboard() {
    Set<String> shown =
        expressions().stream()
            .flatMap(expression -> PromExpression.parse(expression).selectors().stream())
            .map(selector -> selector.metric().replaceAll("_(count|sum|bucket)$", ""))
            .collect(toCollection(TreeSet::new));

    assertThat(
            measured().keySet().stream()
                .map(name -> name.replaceAll("_(count|sum|bucket|max)$", "")))
        .allSatisfy(name -> assertThat(shown).contains(name));
  }

  @Test
  void panelsHaveANameAUnitAndAPlaceOfTheirOwn() {
    List<Map<String, Object>> panels = panels();
    Set<Object> ids = panels.stream().map(panel -> panel.get("id")).collect(toSet());
    Map<String, String> taken = new HashMap<>();

    assertThat(ids).hasSameSizeAs(panels);
    for (Map<String, Object> panel : panels) {
      String title = String.valueOf(panel.get("title"));
      Map<String, Object> at = map(panel.get("gridPos"));
      assertThat(title).isNotBlank();
      assertThat(number(at, "x") + number(at, "w")).as(title).isLessThanOrEqualTo(24);
      for (int x = number(at, "x"); x < number(at, "x") + number(at, "w"); x++) {
        for (int y = number(at, "y"); y < number(at, "y") + number(at, "h"); y++) {
          assertThat(taken.put(x + "," + y, title)).as(title + " lies above another one").isNull();
        }
      }
      if (!"row".equals(panel.get("type"))) {
        Map<String, Object> defaults = map(map(panel.get("fieldConfig")).get("defaults"));
        assertThat(String.valueOf(defaults.get("unit")))
            .as(title)
            .isIn("short", "none", "s", "cps", "bytes", "percentunit");
        assertThat(String.valueOf(panel.get("description"))).as(title).endsWith(".");
      }
    }
  }

  @Test
  void noDataSourceIsNamed() {
    Object chosen = Map.of("type", "prometheus", "uid", "${datasource}");
    List<Map<String, Object>> asking = new ArrayList<>();
    panels().stream().filter(panel -> !"row".equals(panel.get("type"))).forEach(asking::add);
    panels().forEach(panel -> asking.addAll(targets(panel)));
    variables().stream().filter(each -> "query".equals(each.get("type"))).forEach(asking::add);

    assertThat(asking).hasSizeGreaterThan(80);
    assertThat(asking).allSatisfy(each -> assertThat(each).containsEntry("datasource", chosen));
    assertThat(variables().stream().map(variable -> variable.get("name")))
        .containsExactly("datasource", "application", "destination", "business");
  }

  // ---- how they are shipped, and the test itself

  @ParameterizedTest
  @ValueSource(strings = {RULES, RULES_TEST, DASHBOARD, "README.md"})
  void jarHasTheFilesOfTheManual(String file) throws IOException {
    try (InputStream in =
        OutboxMeter.class.getResourceAsStream("/META-INF/angarium/monitoring/" + file)) {
      assertThat(in).isNotNull();
      assertThat(new String(in.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8))
          .isEqualTo(read(FOLDER.resolve(file)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "sum by (job) (angarium_nothing)",
        "angarium_partitions{node=\"1\"}",
        "max by (node) (angarium_partitions)",
        "sum(rate(angarium_dead_total{task=\"x\"}[5m]))",
        "summ(angarium_partitions)",
        "sum(angarium_partitions",
        "sum(angarium_partitions))",
        "angarium_partitions # comment",
      })
  void faultInAnExpressionIsNoticed(String expression) {
    Map<String, Set<String>> measured = measured();

    assertThatThrownBy(() -> assertMeasured(measured, "planted", expression))
        .isInstanceOfAny(AssertionError.class, IllegalArgumentException.class);
  }

  private static void assertMeasured(
      Map<String, Set<String>> measured, String where, String expression) {
    PromExpression parsed = PromExpression.parse(expression);
    Set<String> labels = new HashSet<>(OF_THE_SCRAPE);
    for (PromExpression.Selector selector : parsed.selectors()) {
      assertThat(measured).as(where + ": " + expression).containsKey(selector.metric());
      Set<String> own = new HashSet<>(OF_THE_SCRAPE);
      own.addAll(measured.getOrDefault(selector.metric(), Set.of()));
      assertThat(own).as(where + ": " + expression).containsAll(selector.labels());
      labels.addAll(own);
    }
    assertThat(labels).as(where + ": " + expression).containsAll(parsed.groups());
  }

  /** Every metric that the library gives, with its labels. */
  private static Map<String, Set<String>> measured() {
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    EveryMeter.use(registry);
    Map<String, Set<String>> measured = new HashMap<>();
    registry
        .scrape()
        .lines()
        .map(SERIES::matcher)
        .filter(Matcher::find)
        .forEach(
            series ->
                measured
                    .computeIfAbsent(series.group(1), name -> new HashSet<>())
                    .addAll(labels(String.valueOf(series.group(2)))));
    read(ROOT.resolve("docs/server.md"))
        .lines()
        .map(OF_THE_SERVER::matcher)
        .filter(Matcher::find)
        .forEach(
            row ->
                measured.put(
                    row.group(1),
                    Arrays.stream(row.group(2).split("[`, –]+"))
                        .filter(label -> !label.isEmpty())
                        .collect(toSet())));
    return measured;
  }

  private static Set<String> labels(String text) {
    Set<String> labels = new HashSet<>();
    Matcher label = LABEL.matcher(text);
    while (label.find()) {
      labels.add(label.group(1));
    }
    return labels;
  }

  private static Stream<String> section(String title) {
    String page = read(ROOT.resolve("docs/operations.md"));
    String from = page.substring(page.indexOf("\n" + title + "\n") + title.length() + 2);
    return from.substring(0, from.indexOf("\n## ")).lines();
  }

  private static List<Rule> rules() {
    Map<String, Object> file = new Yaml().load(read(FOLDER.resolve(RULES)));
    return list(file.get("groups")).stream()
        .flatMap(group -> list(group.get("rules")).stream())
        .map(
            rule ->
                new Rule(
                    String.valueOf(rule.get("alert")),
                    String.valueOf(rule.get("expr")),
                    rule.containsKey("for") ? inWords(String.valueOf(rule.get("for"))) : "",
                    texts(rule.get("labels")),
                    texts(rule.get("annotations"))))
        .toList();
  }

  /** As the manual writes it. */
  private static String inWords(String duration) {
    return duration.replaceAll("m$", " min");
  }

  private static List<Map<String, Object>> panels() {
    Map<String, Object> dashboard = new Yaml().load(read(FOLDER.resolve(DASHBOARD)));
    return list(dashboard.get("panels"));
  }

  private static List<Map<String, Object>> variables() {
    Map<String, Object> dashboard = new Yaml().load(read(FOLDER.resolve(DASHBOARD)));
    return list(map(dashboard.get("templating")).get("list"));
  }

  private static List<Map<String, Object>> targets(Map<String, Object> panel) {
    return panel.containsKey("targets") ? list(panel.get("targets")) : List.of();
  }

  private static List<String> expressions() {
    return panels().stream()
        .flatMap(panel -> targets(panel).stream())
        .map(target -> String.valueOf(target.get("expr")))
        .toList();
  }

  private static Map<String, String> texts(Object map) {
    return map(map).entrySet().stream()
        .collect(toMap(Map.Entry::getKey, entry -> String.valueOf(entry.getValue())));
  }

  private static int number(Map<String, Object> map, String key) {
    return (Integer) map.get(key);
  }

  @SuppressWarnings("unchecked") // as the files are; others fail here
  private static Map<String, Object> map(Object value) {
    return (Map<String, Object>) value;
  }

  @SuppressWarnings("unchecked") // likewise
  private static List<Map<String, Object>> list(Object value) {
    return (List<Map<String, Object>>) value;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
