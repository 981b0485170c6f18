package io.angarium.testservers;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * How a server is to be started; every method returns a changed copy. Immutable.
 *
 * @param settings the server's own settings, in its own spelling, laid over the ones of this
 *     module: {@code wal_level=logical} for PostgreSQL, {@code log-bin=binlog} for MySQL and
 *     MariaDB, {@code num.partitions=8} for Kafka, {@code consumer_timeout=60000} for RabbitMQ,
 *     {@code transactionTimeOut=1000} for the broker of RocketMQ and {@code
 *     tls.server.mode=permissive} for its name server, too, {@code maxmemory=1mb} for Redis. A
 *     named server ignores them
 * @param durability what a commit is worth, see {@link Durability}
 * @param origins the origins that may be used; tried in their natural order
 * @param behindProxy whether a broker gets a {@link FaultProxy} of its own that clients are sent
 *     through
 */
public record ServerOptions(
    Map<String, String> settings, Durability durability, Set<Origin> origins, boolean behindProxy) {

  /** What survives what. Killing the server's process loses nothing in either case. */
  public enum Durability {
    /**
     * Commits reach the operating system only: enough for kill −9, not for a power cut. The
     * default.
     */
    PROCESS,
    /**
     * Commits reach the disk, with the settings of a production server; for benchmarks. Brokers
     * store alike in both, but only here their JVM takes the time to compile for speed.
     */
    DISK
  }

  /** Copies the collections. */
  public ServerOptions {
    settings = Map.copyOf(settings);
    origins = Set.copyOf(origins);
  }

  /**
   * Any origin, no settings of its own, {@link Durability#PROCESS}, no proxy. {@code
   * ANGARIUM_TEST_ORIGINS} (or the system property {@code angarium.test.origins}) can limit the
   * origins of a whole run, for instance to {@code maven,package} for the same versions everywhere.
   */
  public static ServerOptions standard() {
    return new ServerOptions(Map.of(), Durability.PROCESS, usualOrigins(), false);
  }

  private static Set<Origin> usualOrigins() {
    return Settings.find("angarium.test.origins", "ANGARIUM_TEST_ORIGINS")
        .map(list -> Arrays.stream(list.split(",")).map(Origin::of).collect(Collectors.toSet()))
        .orElseGet(() -> EnumSet.allOf(Origin.class));
  }

  /** Adds one of the server's own settings, or replaces the value it had. */
  public ServerOptions setting(String name, String value) {
    Map<String, String> changed = new LinkedHashMap<>(settings);
    changed.put(name, value);
    return new ServerOptions(changed, durability, origins, behindProxy);
  }

  /** Asks for {@link Durability#DISK}: every commit is on the disk before it is confirmed. */
  public ServerOptions durable() {
    return new ServerOptions(settings, Durability.DISK, origins, behindProxy);
  }

  /** Allows these origins only, for instance {@link Origin#MAVEN} to get exactly that version. */
  public ServerOptions from(Origin first, Origin... others) {
    return new ServerOptions(settings, durability, EnumSet.of(first, others), behindProxy);
  }

  /** Leaves {@link Origin#NAMED} out: the test is going to kill, stop or pause the server. */
  public ServerOptions ownProcess() {
    Set<Origin> own = new HashSet<>(origins);
    own.remove(Origin.NAMED);
    return new ServerOptions(settings, durability, own, behindProxy);
  }

  /**
   * Puts a {@link FaultProxy} between a broker and its clients: {@link
   * KafkaServer#bootstrapServers()}, {@link RabbitServer#uri()}, {@link RedisServer#uri()}, {@link
   * RocketServer#nameServer()} and the addresses that the broker hands out lead through it.
   * Databases do not need this option: see {@link TestDatabase#through}.
   */
  public ServerOptions proxied() {
    return new ServerOptions(settings, durability, origins, true);
  }

  /** How the JVM of a broker compiles: one that lives for seconds is not worth much of it. */
  List<String> compilation() {
    return durableOnDisk() ? List.of() : List.of("-XX:TieredStopAtLevel=1");
  }

  boolean durableOnDisk() {
    return durability == Durability.DISK;
  }
}
