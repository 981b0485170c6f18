package io.angarium.benchmarks.harness;

import static io.angarium.benchmarks.harness.Goal.atLeast;
import static io.angarium.benchmarks.harness.Goal.atMost;

import io.angarium.benchmarks.arm.BrokerKind;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/** What Angarium is to reach, as ratios and costs of one run. */
final class Goals {
  private static final Contestant RAW = Contestant.RAW;
  private static final List<Contestant> LOOPS = List.of(RAW, Contestant.RAW_HANDOFF);
  private static final String SPEED = "messages/s";

  /** A backlog that grows is a larger part of the load: seconds of it, not a fraction of one. */
  private static final double BACKLOG_SECONDS_MAX = 1;

  private static final String DATABASE_CPU = "database CPU us/msg";

  /** Of the peers that can be had, the one that promises it. */
  private static final List<Contestant> IN_ORDER = List.of(Contestant.NAMASTACK);

  private Goals() {}

  static List<Goal> all() {
    return Stream.of(
            flatOut("1 per transaction"),
            flatOut("10 per transaction"),
            relay(),
            growing(),
            troubled(),
            nodes(),
            OpenWriterGoals.all(),
            InboxGoals.all(),
            HalfGoals.all())
        .flatMap(List::stream)
        .toList();
  }

  private static List<Goal> relay() {
    return List.of(
        atLeast("P1", "drain, of the loop by hand", 0.85, r -> r.against(RAW, "drain", "", SPEED)),
        atLeast(
            "P1",
            "drain to RabbitMQ, of the loop by hand",
            0.85,
            r -> ofRaw(r, BrokerKind.RABBITMQ)),
        atLeast(
            "P1",
            "drain to RocketMQ, of the loop by hand",
            0.85,
            r -> ofRaw(r, BrokerKind.ROCKETMQ)),
        atLeast("P1", "drain, times the best peer in order", 30, Goals::overPeers),
        atMost("P3", "light, keyed, p50 ms", 2, r -> r.ours("light", "keyed", "p50 ms")),
        atMost("P3", "light, keyed, p99 ms", 10, r -> r.ours("light", "keyed", "p99 ms")),
        atMost("P3", "light, keyless, p50 ms", 2, r -> r.ours("light", "keyless", "p50 ms")),
        atMost("P3", "light, keyless, p99 ms", 10, r -> r.ours("light", "keyless", "p99 ms")),
        atMost("P3", "light, keyed, p50 of the fastest peer's", 1, r -> ofPeers(r, "keyed")),
        atMost("P3", "light, keyless, p50 of the fastest peer's", 1, r -> ofPeers(r, "keyless")),
        atMost("P4", "drain, database CPU us/msg", 2.5, r -> onPostgres(r, "drain", DATABASE_CPU)),
        atMost("P4", "log bytes/msg out", 60, r -> onPostgres(r, "cost", "log bytes/msg out")),
        atMost("P4", "statements/msg out", 0.01, r -> r.ours("cost", "", "statements/msg out")));
  }

  private static List<Goal> growing() {
    return List.of(
        atMost(
            "P5",
            "poll with 1 000 000 dead rows, of a clean one",
            1.2,
            r -> r.between("dead-rows", "1000000", "0", "poll us")),
        atMost(
            "P6",
            "backlog 1 000 to 5 000 000, largest of the smallest database CPU/msg",
            1.1,
            r -> r.spread("backlog", DATABASE_CPU, List.of("0"))),
        atMost(
            "P6",
            "backlog 100 000 to 5 000 000, largest of the smallest database CPU/msg",
            1.1,
            r -> r.spread("backlog", DATABASE_CPU, List.of("0", "1000", "10000"))),
        atMost(
            "P6",
            "history 0 to 10 000 000, largest of the smallest database CPU/msg",
            1.1,
            r -> r.spread("history", DATABASE_CPU, List.of())),
        atLeast("P7", "50 relays, of one relay", 0.8, r -> r.between("relays", "50", "1", SPEED)),
        atMost("P7", "50 idle relays, percent of a core of the database", 1, r -> idle(r, "50")),
        atMost(
            "P10",
            "live heap MB of a backlog of 5 000 000, in a heap of 256",
            256,
            r -> r.ours("backlog", "5000000", "live heap MB")),
        atMost(
            "P10",
            "live heap MB of a backlog of 5 000 000, of that of 1 000 000",
            1.2,
            r -> r.between("backlog", "5000000", "1000000", "live heap MB")));
  }

  private static List<Goal> troubled() {
    return List.of(
        atLeast(
            "P8",
            "10 % poison keys, speed of healthy ones of the speed without",
            0.95,
            r -> r.between("poison", "10 %", "0 %", "sent/s")),
        atLeast(
            "P9",
            "100 messages per transaction, of the loop by hand",
            0.9,
            r -> r.against(RAW, "enqueue", "100 per transaction", SPEED)),
        atMost("P11", "lost after an outage of 60 s", 0, r -> r.ours("outage", "60 s", "lost")),
        atMost("P11", "dead after an outage of 60 s", 0, r -> r.ours("outage", "60 s", "dead")),
        atLeast(
            "P11",
            "speed after an outage, of a plain drain",
            0.8,
            r -> r.between("outage", "60 s", OutageScenario.PLAIN, SPEED)));
  }

  /** Keys that another node owns. */
  private static List<Goal> nodes() {
    return Stream.concat(
            Stream.of("2", "5", "10")
                .flatMap(
                    count -> Stream.of(nodes(count, "p50 ms", 20), nodes(count, "p99 ms", 100))),
            Stream.of(
                atMost(
                    "P7",
                    "10 idle relays, percent of a core of the database",
                    1.5,
                    r -> idle(r, "10"))))
        .toList();
  }

  private static Goal nodes(String count, String metric, double limit) {
    return atMost("P12", count + " nodes, " + metric, limit, r -> r.ours("nodes", count, metric));
  }

  private static OptionalDouble ofRaw(Lookup results, BrokerKind broker) {
    return results.against(RAW, "brokers", BrokersScenario.parameter(broker), SPEED);
  }

  private static OptionalDouble overPeers(Lookup results) {
    return Lookup.divide(
        results.ours("drain", "", SPEED), results.best(IN_ORDER, "drain", "", SPEED, Math::max));
  }

  /** Producers flat out, with so many messages in each transaction. */
  private static List<Goal> flatOut(String parameter) {
    String what = "flat out, " + parameter + ", ";
    return List.of(
        atLeast(
            "P2",
            what + "delivered/s of the faster loop by hand",
            0.95,
            r -> ofBestLoop(r, parameter, "delivered/s")),
        atLeast(
            "P2",
            what + "tx/s of the faster loop by hand",
            0.97,
            r -> ofBestLoop(r, parameter, "tx/s")),
        atMost(
            "P2",
            what + "seconds to deliver the backlog at the end",
            BACKLOG_SECONDS_MAX,
            r ->
                Lookup.divide(
                    r.ours("flat-out", parameter, "backlog at end"),
                    r.ours("flat-out", parameter, "delivered/s"))));
  }

  /** Of the one that polls and the one that hands over what it committed. */
  private static OptionalDouble ofBestLoop(Lookup results, String parameter, String metric) {
    boolean both =
        LOOPS.stream().allMatch(loop -> results.has(loop, "flat-out", parameter, metric));
    return both
        ? Lookup.divide(
            results.ours("flat-out", parameter, metric),
            results.best(LOOPS, "flat-out", parameter, metric, Math::max))
        : OptionalDouble.empty(); // one of them would be called the faster one
  }

  private static OptionalDouble ofPeers(Lookup results, String parameter) {
    return Lookup.divide(
        results.ours("light", parameter, "p50 ms"),
        results.best(Contestant.PEERS, "light", parameter, "p50 ms", Math::min));
  }

  private static OptionalDouble onPostgres(Lookup results, String scenario, String metric) {
    return results.database().equals("PostgreSQL")
        ? results.ours(scenario, "", metric)
        : OptionalDouble.empty();
  }

  private static OptionalDouble idle(Lookup results, String relays) {
    String metric = "database percent of a core";
    return Lookup.cost(results.ours("idle", relays, metric), results.ours("idle", "0", metric));
  }
}
