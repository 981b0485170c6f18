package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Arm;
import java.util.Set;
import java.util.StringJoiner;

/** Notes what one scenario measures on one database, and says so as it goes. Not thread-safe. */
final class Recorder {
  /** Modules of the arms that are Angarium itself. */
  private static final Set<String> OURS = Set.of("angarium", "centre");

  private final Results results;
  private final Section section;
  private final Progress progress;

  /**
   * @param section was begun
   */
  Recorder(Results results, Section section, Progress progress) {
    this.results = results;
    this.section = section;
    this.progress = progress;
  }

  /** The figures of one round. */
  Round round(Contestant arm, String parameter, int number) {
    return new Round(arm, parameter, number);
  }

  /** Tells people what is being done now. */
  void say(String what) {
    progress.say(section + ": " + what);
  }

  /** Notes the version of something that the others are not run with. */
  void with(String title, String version) {
    results.with(section, title + " " + version);
  }

  /** All of it failed. */
  void failed(Exception why) {
    results.fail(section, why.toString());
  }

  /** An arm could not do it; the others go on. */
  void failed(Contestant arm, String parameter, Exception why) {
    results.fail(section, arm.name() + " " + parameter + ": " + why);
    say(arm.name() + " FAILED: " + why);
  }

  /** One arm, one value of the parameter, one time. */
  final class Round {
    private final Contestant arm;
    private final String parameter;
    private final int number;
    private final StringJoiner said = new StringJoiner(", ");

    private Round(Contestant arm, String parameter, int number) {
      this.arm = arm;
      this.parameter = parameter;
      this.number = number;
    }

    Contestant arm() {
      return arm;
    }

    Round count(String metric, long value) {
      return add(metric, (double) value);
    }

    Round add(String metric, double value) {
      results.add(new Measurement(section, arm.name(), parameter, number, metric, value));
      said.add(Figures.measured(value) + " " + metric);
      return this;
    }

    /** Processor time and bytes of the log, each per message. */
    Round addUsage(Usage used, long messages) {
      add("arm CPU us/msg", used.arm() / 1e3 / messages);
      add("database CPU us/msg", used.database() / 1e3 / messages);
      add("broker CPU us/msg", used.broker() / 1e3 / messages);
      return add("log bytes/msg", (double) used.log() / messages);
    }

    /** Rows that are left when all is sent: whoever sends them again is not us. */
    Round addLeft(long rows) {
      if (OURS.contains(arm.module())) {
        failFor("rows left", rows);
      }
      return rows > 0 ? count("rows left", rows) : this;
    }

    /**
     * Counts that must be zero, but for duplicates, which nobody rules out where the broker did not
     * acknowledge. A peer that promises less is told so in the table.
     */
    Round addFaults(Faults faults) {
      failFor("lost", faults.lost());
      if (OURS.contains(arm.module())) {
        failFor("out of order", faults.disorder());
        failFor("never committed", faults.ghosts());
        failFor("duplicates without a failed attempt", faults.unexplained());
        failFor("not sent in time", faults.late());
      }
      if (faults.duplicates() > 0 && faults.unacknowledged() != Arm.NOT_COUNTED) {
        count("attempts not acknowledged", faults.unacknowledged());
      }
      count("lost", faults.lost()).count("duplicates", faults.duplicates());
      return count("out of order", faults.disorder()).count("never committed", faults.ghosts());
    }

    private void failFor(String what, long number) {
      if (number > 0) {
        results.fail(section, arm.name() + ": " + what + " " + number);
      }
    }

    void done() {
      say(arm.name() + (parameter.isEmpty() ? "" : " " + parameter) + " #" + number + ": " + said);
    }
  }
}
