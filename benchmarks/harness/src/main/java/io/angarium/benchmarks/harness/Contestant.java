package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.Variant;
import java.util.List;
import java.util.stream.Stream;

/**
 * An arm as it is run. Immutable.
 *
 * @param module folder of its program below {@code benchmarks}
 * @param program class with its main method
 */
record Contestant(String name, String module, String program, Variant variant) {
  static final Contestant BUSINESS = of("business", "raw", "BusinessArm", Variant.DEFAULTS);
  static final Contestant RAW = of("raw", "raw", "RawArm", Variant.TUNED);

  /** A consumer without an inbox, one by hand, and ours. */
  static final Contestant BARE = of("bare", "raw", "BareArm", Variant.DEFAULTS);

  static final Contestant RAW_INBOX = of("raw", "raw", "RawInboxArm", Variant.TUNED);
  static final Contestant INBOX = of("angarium", "angarium", "InboxArm", Variant.DEFAULTS);

  /** Half messages in the database itself: by hand, with a transaction for each call, and ours. */
  static final Contestant RAW_HALF = of("by-hand", "raw", "RawHalfArm", Variant.DEFAULTS);

  static final Contestant HALF = of("angarium", "angarium", "HalfArm", Variant.DEFAULTS);

  /** At a server: one as it is written first, ours, and RocketMQ. */
  static final Contestant NAIVE = of("naive-http", "naive", "NaiveArm", Variant.DEFAULTS);

  static final Contestant HTTP_HALF = of("angarium-http", "centre", "HttpArm", Variant.DEFAULTS);
  static final Contestant GRPC_HALF = of("angarium-grpc", "centre", "GrpcArm", Variant.DEFAULTS);
  static final Contestant ROCKET_HALF = of("rocketmq", "raw", "RocketHalfArm", Variant.DEFAULTS);

  /** RocketMQ whose answer to a prepare waits for the disk, as that of a database does. */
  static final Contestant ROCKET_HALF_ON_DISK =
      of("rocketmq-on-disk", "raw", "RocketHalfArm", Variant.DEFAULTS);

  static final List<Contestant> HALVES =
      List.of(RAW_HALF, HALF, NAIVE, HTTP_HALF, GRPC_HALF, ROCKET_HALF, ROCKET_HALF_ON_DISK);
  static final List<Contestant> HALVES_THAT_SEND =
      List.of(HTTP_HALF, GRPC_HALF, ROCKET_HALF, ROCKET_HALF_ON_DISK);

  /** The insert alone, by hand, of all columns that a message has. */
  static final Contestant RAW_COLUMNS = of("raw-columns", "raw", "ColumnsArm", Variant.TUNED);

  /** By hand, with what is committed handed over to the relay of the same process. */
  static final Contestant RAW_HANDOFF = of("raw-handoff", "raw", "RawHandoffArm", Variant.TUNED);

  /** The same, sending each message at once. */
  static final Contestant RAW_HANDOFF_EAGER =
      of("raw-handoff-eager", "raw", "RawHandoffArm", Variant.DEFAULTS);

  static final Contestant ANGARIUM = of("angarium", "angarium", "AngariumArm", Variant.DEFAULTS);
  static final Contestant ANGARIUM_TUNED =
      of("angarium-tuned", "angarium", "AngariumArm", Variant.TUNED);
  static final Contestant GRUELBOX = of("gruelbox-tuned", "gruelbox", "GruelboxArm", Variant.TUNED);
  static final Contestant MODULITH = of("modulith-tuned", "modulith", "ModulithArm", Variant.TUNED);
  static final Contestant NAMASTACK =
      of("namastack-tuned", "namastack", "NamastackArm", Variant.TUNED);

  /** Other libraries, set up for throughput as their makers advise. */
  static final List<Contestant> PEERS = List.of(GRUELBOX, MODULITH, NAMASTACK);

  /** Other libraries as they come. */
  static final List<Contestant> PEERS_DEFAULTS =
      List.of(
          of("gruelbox", "gruelbox", "GruelboxArm", Variant.DEFAULTS),
          of("modulith", "modulith", "ModulithArm", Variant.DEFAULTS),
          of("namastack", "namastack", "NamastackArm", Variant.DEFAULTS));

  /** Other libraries in both ways. */
  static final List<Contestant> PEERS_ALL =
      Stream.concat(PEERS.stream(), PEERS_DEFAULTS.stream()).toList();

  private static Contestant of(String name, String module, String program, Variant variant) {
    String type = "io.angarium.benchmarks." + module + "." + program;
    return new Contestant(name, module, type, variant);
  }
}
