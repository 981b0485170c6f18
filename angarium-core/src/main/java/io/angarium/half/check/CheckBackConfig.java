package io.angarium.half.check;

import io.angarium.ConfigFaults;
import io.angarium.half.Verdict;
import java.time.Duration;

/**
 * When and how producers are asked for what became of half messages. Immutable.
 *
 * @param pauses between questions
 * @param unknownMax after how many answers {@link Verdict#UNKNOWN} a person must decide, 1..1000;
 *     default 15, which with the default pauses takes about five hours
 * @param alertAfter for how long an endpoint may be unreachable before this is reported, 1 s..1 d;
 *     default 5 min
 * @param questionsMax how many questions one endpoint is asked at a time; also the limit for all
 *     endpoints of one host and port together, see {@link CheckBackTransport#origin}; 1..100;
 *     default 4
 * @param questionsInAllMax how many questions this node waits for at a time, over all endpoints;
 *     questions past their time-out do not count, though they may still be under way; 1..10 000,
 *     default 64
 * @param timeout of a question, 100 ms..5 min; default 10 s
 * @param claim after which time another node asks the questions that this node has claimed, at
 *     least twice the time-out, at most 1 h; default 1 min
 * @param interval how often the node polls for due questions, 10 ms..1 h; default 1 s
 * @param sweep how often the node searches again for half messages that it passed because their
 *     transaction was open for longer than {@code pauses.first}, 1 min..1 d; default 1 h
 */
public record CheckBackConfig(
    Pauses pauses,
    int unknownMax,
    Duration alertAfter,
    int questionsMax,
    int questionsInAllMax,
    Duration timeout,
    Duration claim,
    Duration interval,
    Duration sweep) {
  /** The pauses of {@link Pauses#DEFAULTS}, 15 answers, 4 questions of 10 s, 64 in all. */
  public static final CheckBackConfig DEFAULTS =
      new CheckBackConfig(
          Pauses.DEFAULTS,
          15,
          Duration.ofMinutes(5),
          4,
          64,
          Duration.ofSeconds(10),
          Duration.ofMinutes(1),
          Duration.ofSeconds(1),
          Duration.ofHours(1));

  /**
   * How long is waited. A fifth of each pause but the first is random, so that what was asked
   * together does not return together. Immutable.
   *
   * @param first from the prepare to the first question, 1 s..7 d; longer than a producer ever
   *     takes between its prepare and the first statement of its business transaction; default 60 s
   * @param min after an answer that decides nothing, 100 ms..1 d; default 30 s
   * @param factor by which the pause grows with each answer {@link Verdict#UNKNOWN}, 1..10; default
   *     2
   * @param max longest pause after such answers, at least {@code min}, at most 7 d; default 30 min
   * @param unreachableMax longest pause while a producer cannot be asked, at least {@code min}, at
   *     most 7 d; default 5 min
   */
  public record Pauses(
      Duration first, Duration min, double factor, Duration max, Duration unreachableMax) {
    private static final Duration LONGEST = Duration.ofDays(7);

    /** 60 s, then 30 s, doubling up to 30 min; up to 5 min while it is unreachable. */
    public static final Pauses DEFAULTS =
        new Pauses(
            Duration.ofSeconds(60),
            Duration.ofSeconds(30),
            2,
            Duration.ofMinutes(30),
            Duration.ofMinutes(5));

    /** Checks the ranges. */
    public Pauses {
      new ConfigFaults()
          .range("half.check.first", first, Duration.ofSeconds(1), LONGEST)
          .range("half.check.min-pause", min, Duration.ofMillis(100), Duration.ofDays(1))
          .require(factor >= 1 && factor <= 10, "half.check.factor", factor, "1..10")
          .range("half.check.max-pause", max, min, LONGEST)
          .range("half.check.unreachable-max-pause", unreachableMax, min, LONGEST)
          .throwIfAny();
    }
  }

  /** Checks the ranges. */
  public CheckBackConfig {
    new ConfigFaults()
        .range("half.check.unknown-max", unknownMax, 1, 1_000)
        .range("half.check.alert-after", alertAfter, Duration.ofSeconds(1), Duration.ofDays(1))
        .range("half.check.questions", questionsMax, 1, 100)
        .range("half.check.questions-in-all", questionsInAllMax, 1, 10_000)
        .range("half.check.timeout", timeout, Duration.ofMillis(100), Duration.ofMinutes(5))
        .range("half.check.claim", claim, timeout.multipliedBy(2), Duration.ofHours(1))
        .range("half.check.interval", interval, Duration.ofMillis(10), Duration.ofHours(1))
        .range("half.check.sweep", sweep, Duration.ofMinutes(1), Duration.ofDays(1))
        .throwIfAny();
  }

  /** A copy with other pauses. */
  public CheckBackConfig pauses(Pauses pauses) {
    return new CheckBackConfig(
        pauses,
        unknownMax,
        alertAfter,
        questionsMax,
        questionsInAllMax,
        timeout,
        claim,
        interval,
        sweep);
  }

  /** A copy with another limit of answers that know nothing. */
  public CheckBackConfig unknownMax(int unknownMax) {
    return new CheckBackConfig(
        pauses,
        unknownMax,
        alertAfter,
        questionsMax,
        questionsInAllMax,
        timeout,
        claim,
        interval,
        sweep);
  }

  /** A copy with another number of questions at a time to one endpoint. */
  public CheckBackConfig questionsMax(int questionsMax) {
    return new CheckBackConfig(
        pauses,
        unknownMax,
        alertAfter,
        questionsMax,
        questionsInAllMax,
        timeout,
        claim,
        interval,
        sweep);
  }

  /** A copy with another number of questions at a time in all. */
  public CheckBackConfig questionsInAllMax(int questionsInAllMax) {
    return new CheckBackConfig(
        pauses,
        unknownMax,
        alertAfter,
        questionsMax,
        questionsInAllMax,
        timeout,
        claim,
        interval,
        sweep);
  }

  /** A copy that looks more or less often for what is due. */
  public CheckBackConfig interval(Duration interval) {
    return new CheckBackConfig(
        pauses,
        unknownMax,
        alertAfter,
        questionsMax,
        questionsInAllMax,
        timeout,
        claim,
        interval,
        sweep);
  }
}
