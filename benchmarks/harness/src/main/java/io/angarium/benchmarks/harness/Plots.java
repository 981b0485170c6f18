package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.BrokerKind;
import java.awt.Color;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.Function;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.ChartEncoder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.internal.chartpart.Chart;
import org.knowm.xchart.style.Styler.LegendPosition;

/** Draws what people would rather look at than read. */
final class Plots {
  private static final int WIDTH = 900;
  private static final int HEIGHT = 450;

  private final Results results;
  private final Path folder;
  private final List<String> written = new ArrayList<>();

  Plots(Results results, Path folder) {
    this.results = results;
    this.folder = folder;
  }

  /** Names of the files, in order. */
  List<String> draw() throws IOException {
    bars("drain", "drain", "", "messages/s", true);
    for (BrokerKind broker : List.of(BrokerKind.RABBITMQ, BrokerKind.ROCKETMQ)) {
      String parameter = BrokersScenario.parameter(broker);
      bars("brokers-" + parameter, "brokers", parameter, "messages/s", false);
    }
    bars("flat-out", "flat-out", "1 per transaction", "delivered/s", true);
    bars("light", "light", "keyed", "p50 ms", false);
    bars("light", "light", "keyed", "p99 ms", false);
    for (String grows : List.of("backlog", "dead-rows", "history", "keys", "relays", "payload")) {
      lines(grows, "messages/s");
      lines(grows, "database CPU us/msg");
    }
    lines("dead-rows", "poll us");
    lines(HalfScenario.NAME, HalfScenario.SPEED);
    lines(HalfScenario.NAME, HalfScenario.TAIL);
    return List.copyOf(written);
  }

  /** One bar per arm and database. */
  private void bars(
      String name, String scenario, String parameter, String metric, boolean logarithmic)
      throws IOException {
    Set<String> arms = values(scenario, Measurement::arm, metric);
    Set<String> databases = values(scenario, Measurement::database, metric);
    if (arms.isEmpty()) {
      return;
    }
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(scenario + (parameter.isEmpty() ? "" : ", " + parameter))
            .yAxisTitle(metric)
            .build();
    chart.getStyler().setYAxisLogarithmic(logarithmic).setXAxisLabelRotation(30);
    if (logarithmic) {
      chart.getStyler().setYAxisMin(1.0);
    }
    chart.getStyler().setLegendPosition(LegendPosition.InsideNE);
    for (String database : databases) {
      List<Double> heights = new ArrayList<>();
      for (String arm : arms) {
        OptionalDouble value = results.median(scenario, database, arm, parameter, metric);
        heights.add(
            value.isPresent() && !Double.isNaN(value.getAsDouble()) ? value.getAsDouble() : null);
      }
      if (heights.stream().anyMatch(Objects::nonNull)) {
        chart.addSeries(database, List.copyOf(arms), heights);
      }
    }
    if (!chart.getSeriesCollection().isEmpty()) {
      write(chart, name, metric);
    }
  }

  /** One line per arm and database over the parameter. */
  private void lines(String scenario, String metric) throws IOException {
    XYChart chart =
        new XYChartBuilder()
            .width(WIDTH)
            .height(HEIGHT)
            .title(scenario)
            .xAxisTitle(scenario)
            .yAxisTitle(metric)
            .build();
    chart.getStyler().setXAxisLogarithmic(true).setYAxisMin(0.0);
    chart.getStyler().setLegendPosition(LegendPosition.OutsideE);
    for (String database : values(scenario, Measurement::database, metric)) {
      for (String arm : values(scenario, Measurement::arm, metric)) {
        line(chart, scenario, database, arm, metric);
      }
    }
    if (!chart.getSeriesCollection().isEmpty()) {
      write(chart, scenario, metric);
    }
  }

  private void line(XYChart chart, String scenario, String database, String arm, String metric) {
    List<Double> x = new ArrayList<>();
    List<Double> y = new ArrayList<>();
    for (String parameter : values(scenario, Measurement::parameter, metric)) {
      OptionalDouble value = results.median(scenario, database, arm, parameter, metric);
      if (value.orElse(-1) >= 0 && parameter.matches("\\d+")) {
        x.add(Math.max(1, Double.parseDouble(parameter))); // 0 has no place on this scale
        y.add(value.getAsDouble());
      }
    }
    if (!x.isEmpty()) {
      chart.addSeries(arm + ", " + database, x, y);
    }
  }

  private Set<String> values(
      String scenario, Function<Measurement, String> property, String metric) {
    return results.distinct(
        property, m -> m.scenario().equals(scenario) && m.metric().equals(metric));
  }

  private void write(Chart<?, ?> chart, String scenario, String metric) throws IOException {
    chart.getStyler().setChartBackgroundColor(Color.WHITE);
    String name =
        (scenario + "-" + metric).toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-") + ".png";
    ChartEncoder.saveChart(chart, folder.resolve(name).toString(), "png");
    written.add(name);
  }
}
