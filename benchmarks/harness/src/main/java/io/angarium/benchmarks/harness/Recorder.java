package io.angarium.benchmarks.harness;

/** Notes what one scenario measures on one database, and says so as it goes. Not thread-safe. */
final class Recorder {
  private final Results results;
  private final String scenario;
  private final String database;
  private final Progress progress;

  Recorder(Results results, String scenario, String database, Progress progress) {
    this.results = results;
    this.scenario = scenario;
    this.database = database;
    this.progress = progress;
  }

  /** The figures of one round. */
  Round round(Contestant arm, String parameter, int number) {
    return new Round(arm.name(), parameter, number, new StringBuilder());
  }

  /** Tells people what is being done now. */
  void say(String what) {
    progress.say(scenario + ", " + database + ": " + what);
  }

  /** An arm could not do it; the others go on. */
  void failed(Contestant arm, String parameter, Exception why) {
    results.fail(scenario + ", " + database + ", " + arm.name() + " " + parameter + ": " + why);
    say(arm.name() + " FAILED: " + why);
  }

  /** One arm, one value of the parameter, one time. */
  final class Round {
    private final String arm;
    private final String parameter;
    private final int number;
    private final StringBuilder said;

    private Round(String arm, String parameter, int number, StringBuilder said) {
      this.arm = arm;
      this.parameter = parameter;
      this.number = number;
      this.said = said;
    }

    Round count(String metric, long value) {
      return add(metric, (double) value);
    }

    Round add(String metric, double value) {
      results.add(new Measurement(scenario, database, arm, parameter, number, metric, value));
      said.append(said.isEmpty() ? "" : ", ").append(Figures.of(value)).append(' ').append(metric);
      return this;
    }

    /** Processor time and bytes of the log, each per message. */
    Round addUsage(Usage used, long messages) {
      add("arm CPU us/msg", used.arm() / 1e3 / messages);
      add("database CPU us/msg", used.database() / 1e3 / messages);
      add("broker CPU us/msg", used.broker() / 1e3 / messages);
      return add("log bytes/msg", (double) used.log() / messages);
    }

    /** Counts that must be zero. A peer that promises less is told so in the table. */
    Round addFaults(long lost, long duplicates, long disorder) {
      if (lost > 0) {
        results.fail(scenario + ", " + database + ", " + arm + ": lost " + lost);
      }
      return count("lost", lost).count("duplicates", duplicates).count("out of order", disorder);
    }

    void done() {
      say(arm + (parameter.isEmpty() ? "" : " " + parameter) + " #" + number + ": " + said);
    }
  }
}
