package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.BrokerKind;
import io.angarium.benchmarks.arm.Workload;
import io.angarium.benchmarks.brokers.Broker;
import java.util.List;
import java.util.Locale;

/** A committed backlog is sent to other brokers than Kafka, each started for that alone. */
final class BrokersScenario implements Scenario {
  private final Workload.Shape shape;
  private final List<Step> steps;
  private final int warmUps;
  private final Lineup lineup;

  /**
   * One broker.
   *
   * @param messages of a round
   */
  record Step(BrokerKind broker, long messages) {}

  /**
   * @param warmUps drains of each arm before the first that counts, for each broker
   */
  BrokersScenario(Workload.Shape shape, List<Step> steps, int warmUps, Lineup lineup) {
    this.shape = shape;
    this.steps = List.copyOf(steps);
    this.warmUps = warmUps;
    this.lineup = lineup;
  }

  /** The parameter of a broker in the tables. */
  static String parameter(BrokerKind broker) {
    return broker.name().toLowerCase(Locale.ROOT);
  }

  @Override
  public String name() {
    return "brokers";
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    for (Step step : steps) {
      try (Broker broker = Broker.start(step.broker(), Benchmarks.SERVERS);
          Stage own = stage.on(broker)) {
        recorder.with(broker.title(), broker.server().version());
        String parameter = parameter(step.broker());
        new DrainScenario(parameter, shape, step.messages(), 0, warmUps, lineup).run(own, recorder);
      }
    }
  }
}
