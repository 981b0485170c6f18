package io.angarium.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Which faults a run has, and how often. Immutable.
 *
 * @param disturbFrom of a hundred steps, those from this one on disturb the whole system
 * @param pauseOneIn a process stands still at one call in so many
 * @param hiddenPauses of a hundred pauses, so many are not seen by the clock of the process, as
 *     when a virtual machine is stopped
 * @param loseLeaseOneIn a fenced write comes too late in one case of so many
 * @param crashOneIn a process ends at one call in so many
 * @param callFailsOneIn a call fails, or its answer is lost, in one case of so many
 * @param sendFailsOneIn the broker fails, or its answer is lost, in one case of so many
 * @param jumpMax how far the database's clock is set forward or back
 * @param driftPercent how much faster or slower than the database's the clocks of nodes run at most
 * @param surroundings what else the relay's surroundings do
 * @param kinds the disturbances that may happen
 */
record Rates(
    int disturbFrom,
    int pauseOneIn,
    int hiddenPauses,
    int loseLeaseOneIn,
    int crashOneIn,
    int callFailsOneIn,
    int sendFailsOneIn,
    Duration jumpMax,
    int driftPercent,
    Surroundings surroundings,
    List<Kind> kinds) {
  /**
   * What transports, connections and other services do that a relay does not ask for.
   *
   * @param repeatedOneIn a transport gives a result again, much later, in one case of so many
   * @param lateOneIn a transport gives a result long after its deadline, in one case of so many
   * @param lostOneIn the broker has the message and its answer is lost, in one case of so many
   * @param sessionsStayOneIn a fail-over leaves the reads of nodes on another server than their
   *     writes, in one case of so many
   * @param transportsDiffer a second service shares the outbox, and some nodes lack its transport
   */
  record Surroundings(
      int repeatedOneIn,
      int lateOneIn,
      int lostOneIn,
      int sessionsStayOneIn,
      boolean transportsDiffer) {
    static final Surroundings CALM = new Surroundings(NEVER, NEVER, NEVER, NEVER, false);

    static Surroundings repeating(int oneIn) {
      return new Surroundings(oneIn, NEVER, NEVER, NEVER, false);
    }
  }

  /** What disturbs the whole system. */
  enum Kind {
    CRASH,
    STOP,
    DESTINATION_DOWN,
    DATABASE_DOWN,
    DECIDE_DEAD,
    JUMP,
    /** A replica has got everything up to now. */
    REPLICATE,
    /** The replica takes over. */
    FAIL_OVER,
    EMPTY_LEASES,
    /** Rows come into the table whose numbers the sequence has not reached. */
    COPY_ROWS
  }

  static final int NEVER = Integer.MAX_VALUE;

  private static final List<Kind> ALL =
      List.of(
          Kind.CRASH,
          Kind.STOP,
          Kind.DESTINATION_DOWN,
          Kind.DATABASE_DOWN,
          Kind.DECIDE_DEAD,
          Kind.JUMP);

  /** The same for all seeds: jumps are shorter than the margins of the leases. */
  static final Rates USUAL =
      new Rates(97, 250, 0, 20, 300, 80, 40, Duration.ofSeconds(3), 0, Surroundings.CALM, ALL);

  /** Owners that notice late, or not at all, that they own no more, and sends that fail. */
  static final Rates LATE_OWNERS =
      new Rates(
          94,
          60,
          100,
          20,
          300,
          80,
          10,
          Duration.ofSeconds(60),
          0,
          Surroundings.CALM,
          List.of(Kind.JUMP, Kind.JUMP, Kind.CRASH, Kind.DECIDE_DEAD));

  /** Servers that are replaced by a replica which lacks what was committed last. */
  static final Rates FAIL_OVERS =
      new Rates(
          94,
          250,
          0,
          20,
          300,
          80,
          40,
          USUAL.jumpMax(),
          0,
          Surroundings.CALM,
          List.of(Kind.REPLICATE, Kind.FAIL_OVER, Kind.DESTINATION_DOWN));

  /** Rows above the sequence, among usual faults. */
  static final Rates COPIES = USUAL.with(Kind.COPY_ROWS, Kind.COPY_ROWS, Kind.COPY_ROWS);

  private static final Duration HOURS = Duration.ofHours(8);

  /** The same, and the server that was left lives on with the reads of some nodes. */
  static final Rates LEFT_SERVERS = FAIL_OVERS.in(new Surroundings(NEVER, NEVER, NEVER, 1, false));

  /** Two services on one outbox, among usual faults. */
  static final Rates TWO_SERVICES =
      USUAL.in(new Surroundings(NEVER, NEVER, NEVER, NEVER, true)).with(Kind.CRASH, Kind.STOP);

  /** Another choice for each seed, so that rare faults meet in runs without the frequent ones. */
  static Rates drawn(Random random) {
    Rates rates = drawnEarlier(random);
    return rates.in(
        new Surroundings(
            rates.surroundings.repeatedOneIn(),
            rare(random, 10, 60),
            rare(random, 20, 80),
            rare(random, 1, 3),
            random.nextInt(4) == 0));
  }

  /** As {@link #drawn} did before it knew more faults, for seeds that found something then. */
  static Rates drawnEarlier(Random random) {
    Rates rates = drawnOfAll(random);
    Rates more =
        switch (random.nextInt(4)) {
          case 0 -> rates.with(Kind.REPLICATE, Kind.FAIL_OVER);
          case 1 -> rates.with(Kind.EMPTY_LEASES);
          case 2 -> rates.with(Kind.REPLICATE, Kind.FAIL_OVER, Kind.EMPTY_LEASES);
          default -> rates;
        };
    Rates all = random.nextInt(4) == 0 ? more.with(Kind.COPY_ROWS) : more;
    return all.in(Surroundings.repeating(rare(random, 10, 60)));
  }

  private static Rates drawnOfAll(Random random) {
    return new Rates(
        random.nextBoolean() ? 94 : 97,
        rare(random, 60, 250),
        random.nextInt(3) * 50,
        rare(random, 20, 60),
        rare(random, 150, 600),
        rare(random, 40, 160),
        rare(random, 10, 40),
        random.nextBoolean() ? HOURS : Duration.ofSeconds(60),
        random.nextInt(3),
        Surroundings.CALM,
        ALL);
  }

  private Rates in(Surroundings others) {
    return new Rates(
        disturbFrom,
        pauseOneIn,
        hiddenPauses,
        loseLeaseOneIn,
        crashOneIn,
        callFailsOneIn,
        sendFailsOneIn,
        jumpMax,
        driftPercent,
        others,
        kinds);
  }

  /** The same with kinds of its own. */
  Rates with(Kind... added) {
    List<Kind> more = new ArrayList<>(kinds);
    more.addAll(List.of(added));
    return new Rates(
        disturbFrom,
        pauseOneIn,
        hiddenPauses,
        loseLeaseOneIn,
        crashOneIn,
        callFailsOneIn,
        sendFailsOneIn,
        jumpMax,
        driftPercent,
        surroundings,
        more);
  }

  /** Often, seldom, or never. */
  private static int rare(Random random, int often, int seldom) {
    int choice = random.nextInt(3);
    return choice == 0 ? often : choice == 1 ? seldom : NEVER;
  }
}
