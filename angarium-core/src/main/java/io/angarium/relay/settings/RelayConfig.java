package io.angarium.relay.settings;

import io.angarium.ConfigFaults;
import io.angarium.intake.Partitioning;
import io.angarium.store.lease.LeaseStore;
import java.time.Duration;

/**
 * The settings of a relay. Immutable.
 *
 * @param node name of this node, unique among the live nodes of a database, 1..128 characters
 * @param partitioning the same on every node
 * @param closeTimeout longest time {@code Relay.close} takes to send what is committed (half of it)
 *     and to wait for what is in flight, 0..10 min; default 10 s
 */
public record RelayConfig(
    String node,
    Partitioning partitioning,
    Leasing leasing,
    Polling polling,
    Window window,
    Duration closeTimeout) {

  /** The longest node name, in characters. */
  public static final int NODE_LENGTH_MAX = 128;

  /** Default of {@code closeTimeout}. */
  public static final Duration CLOSE_TIMEOUT_DEFAULT = Duration.ofSeconds(10);

  /** Checks the ranges. */
  public RelayConfig {
    new ConfigFaults()
        .require(
            !node.isBlank() && node.length() <= NODE_LENGTH_MAX,
            "relay.node",
            "'" + node + "'",
            "1.." + NODE_LENGTH_MAX + " characters")
        .range("relay.close-timeout", closeTimeout, Duration.ZERO, Duration.ofMinutes(10))
        .throwIfAny();
  }

  /** All defaults for a node of this name. */
  public static RelayConfig defaults(String node) {
    return new RelayConfig(
        node,
        Partitioning.DEFAULTS,
        Leasing.DEFAULTS,
        Polling.DEFAULTS,
        Window.DEFAULTS,
        CLOSE_TIMEOUT_DEFAULT);
  }

  /**
   * How ownership of partitions is kept. Immutable.
   *
   * @param ttl how long a node counts as alive after a heartbeat, 100 ms..10 min; default 10 s
   * @param heartbeat pause between heartbeats, at most a third of {@code ttl}; default 3 s
   * @param margin the owner stops handing over this long before its lease ends, to be safe from
   *     clocks that run at different speeds, at most a third of {@code ttl}; default 1 s
   * @param restAfter a node whose sends all fail for this long gives its partitions to others, 1
   *     s..1 day; default 30 s
   * @param rest how long it then takes no partitions, 1 s..1 day; default 1 min
   */
  public record Leasing(
      Duration ttl, Duration heartbeat, Duration margin, Duration restAfter, Duration rest) {
    private static final Duration TTL_MIN = Duration.ofMillis(100);
    private static final Duration HEARTBEAT_MIN = Duration.ofMillis(10);

    /** Lease 10 s, heartbeat 3 s, margin 1 s, rest after 30 s for 1 min. */
    public static final Leasing DEFAULTS = of(Duration.ofSeconds(10));

    /** Checks the ranges. */
    public Leasing {
      // A ttl below its range has a fault of its own.
      Duration third = longer(ttl, TTL_MIN).dividedBy(3);
      Duration second = Duration.ofSeconds(1);
      new ConfigFaults()
          .range("relay.lease.ttl", ttl, TTL_MIN, LeaseStore.TTL_MAX)
          .range("relay.lease.heartbeat", heartbeat, HEARTBEAT_MIN, third)
          .range("relay.lease.margin", margin, Duration.ZERO, third)
          .range("relay.rest.after", restAfter, second, Duration.ofDays(1))
          .range("relay.rest.pause", rest, second, Duration.ofDays(1))
          .throwIfAny();
    }

    private static Duration longer(Duration one, Duration other) {
      return one.compareTo(other) >= 0 ? one : other;
    }

    /**
     * A lease with heartbeats at three tenths of it and a margin of a tenth; rest after 30 s for 1
     * min.
     *
     * @param ttl 100 ms..10 min
     * @throws io.angarium.ConfigurationException if it is out of that range
     */
    public static Leasing of(Duration ttl) {
      return new Leasing(
          ttl,
          longer(ttl.multipliedBy(3).dividedBy(10), HEARTBEAT_MIN),
          ttl.dividedBy(10),
          Duration.ofSeconds(30),
          Duration.ofMinutes(1));
    }
  }

  /**
   * When the database is asked. Immutable.
   *
   * @param busy pause after a poll that found something, 0..1 s; default 5 ms; a look for what was
   *     just committed waits as long as the last one took, but no longer than this
   * @param idle longest pause when nothing is found, 10 ms..1 min; default 1 s. While polls find
   *     messages of other processes, and for some time after, the longest pause is shorter
   * @param late pause between looks for rows committed late, 10 ms..1 min; default 200 ms
   * @param grace age from which a keyless message that its own node should have sent is sent by the
   *     owner of its partition, 100 ms..1 h; default 3 s
   * @param sweep pause between full scans, the safety net, 1 s..1 day; default 1 min
   */
  public record Polling(
      Duration busy, Duration idle, Duration late, Duration grace, Duration sweep) {
    /** Busy 5 ms, idle 1 s, late 200 ms, grace 3 s, sweep 1 min. */
    public static final Polling DEFAULTS =
        new Polling(
            Duration.ofMillis(5),
            Duration.ofSeconds(1),
            Duration.ofMillis(200),
            Duration.ofSeconds(3),
            Duration.ofMinutes(1));

    /** Checks the ranges. */
    public Polling {
      Duration tenMillis = Duration.ofMillis(10);
      Duration minute = Duration.ofMinutes(1);
      new ConfigFaults()
          .range("relay.poll.busy", busy, Duration.ZERO, Duration.ofSeconds(1))
          .range("relay.poll.idle", idle, tenMillis, minute)
          .range("relay.poll.late", late, tenMillis, minute)
          .range("relay.grace", grace, Duration.ofMillis(100), Duration.ofHours(1))
          .range("relay.sweep", sweep, Duration.ofSeconds(1), Duration.ofDays(1))
          .throwIfAny();
    }
  }

  /**
   * How much is in flight at most, from the read to the committed delete. Several transports have
   * equal parts of it, so that one whose broker is silent leaves theirs to the others. Immutable.
   *
   * @param recordsMax messages, 1..1 000 000; default 20 000; also the most duplicates a crash can
   *     cause
   * @param bytesMax payload bytes, 1 KiB..1 GiB; default 32 MiB
   * @param readMax rows of one read, 1..100 000; default 5 000
   * @param deleteBatch acknowledged rows deleted by one statement, 1..10 000; default 1 000
   * @param deletePause longest time an acknowledged row waits for such a statement, and what is to
   *     be parked or was tried again for its own, 0..1 s; default 10 ms
   */
  public record Window(
      int recordsMax, long bytesMax, int readMax, int deleteBatch, Duration deletePause) {
    /** 20 000 records, 32 MiB, reads of 5 000, deletes of 1 000 or 10 ms. */
    public static final Window DEFAULTS =
        new Window(20_000, 32L << 20, 5_000, 1_000, Duration.ofMillis(10));

    /** Checks the ranges. */
    public Window {
      new ConfigFaults()
          .range("relay.window.records", recordsMax, 1, 1_000_000)
          .range("relay.window.bytes", bytesMax, 1_024, 1L << 30)
          .range("relay.read-size", readMax, 1, 100_000)
          .range("relay.delete-size", deleteBatch, 1, 10_000)
          .range("relay.delete-pause", deletePause, Duration.ZERO, Duration.ofSeconds(1))
          .throwIfAny();
    }
  }
}
