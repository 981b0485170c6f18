package io.angarium.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class GoalsTest {
  private static final String DATABASE = "PostgreSQL";
  private final Results results = new Results();

  @Test
  void aDrainIsComparedWithTheLoopByHandByMedians() {
    add("drain", Contestant.RAW, "", "messages/s", 100, 300, 200);
    add("drain", Contestant.ANGARIUM, "", "messages/s", 160, 10, 900);

    assertThat(measured("drain, of the loop by hand").getAsDouble()).isEqualTo(0.8);
    assertThat(goal("drain, of the loop by hand").reachedBy(0.8)).isFalse();
    assertThat(goal("drain, of the loop by hand").reachedBy(0.85)).isTrue();
  }

  @Test
  void aDrainToAnotherBrokerIsComparedWithTheLoopByHandOnThatBroker() {
    add("drain", Contestant.RAW, "", "messages/s", 1_000);
    add("brokers", Contestant.RAW, "rabbitmq", "messages/s", 100);
    add("brokers", Contestant.RAW, "rocketmq", "messages/s", 200);
    add("brokers", Contestant.ANGARIUM, "rabbitmq", "messages/s", 90);
    add("brokers", Contestant.ANGARIUM, "rocketmq", "messages/s", 150);

    String rabbit = "drain to RabbitMQ, of the loop by hand";
    String rocket = "drain to RocketMQ, of the loop by hand";
    assertThat(measured(rabbit)).hasValue(0.9);
    assertThat(measured(rocket)).hasValue(0.75);
    assertThat(goal(rabbit).reachedBy(0.9)).isTrue();
    assertThat(goal(rocket).reachedBy(0.75)).isFalse();
  }

  @Test
  void costsMustNotBeAboveTheirLimit() {
    assertThat(goal("log bytes/msg out").reachedBy(60.1)).isFalse();
    assertThat(goal("log bytes/msg out").reachedBy(56)).isTrue();
  }

  @Test
  void spreadLeavesTheEmptyBacklogOut() {
    for (String size : List.of("0", "1000", "5000000")) {
      double cost = size.equals("0") ? 99 : size.equals("1000") ? 3 : 2;
      add("backlog", Contestant.ANGARIUM, size, "database CPU us/msg", cost);
    }

    String what = "backlog 1 000 to 5 000 000, largest of the smallest database CPU/msg";
    assertThat(measured(what).getAsDouble()).isEqualTo(1.5);
  }

  @Test
  void inboxIsComparedWithTheConsumerWithoutAndWithTheOneByHand() {
    add("inbox", Contestant.BARE, "single", "CPU us/msg", 100);
    add("inbox", Contestant.RAW_INBOX, "single", "CPU us/msg", 120);
    add("inbox", Contestant.INBOX, "single", "CPU us/msg", 126);
    add("inbox", Contestant.BARE, "batched", "database CPU us/msg", 3);
    add("inbox", Contestant.INBOX, "batched", "database CPU us/msg", 7);
    add("inbox", Contestant.RAW_INBOX, "folded", "messages/s", 1_000);
    add("inbox", Contestant.INBOX, "folded", "messages/s", 950);

    String single = "inbox, single, CPU of the transaction without one";
    assertThat(measured(single)).hasValue(1.26);
    assertThat(goal(single).reachedBy(1.26)).isFalse();
    String batched = "inbox, batched, database CPU us/msg above the batch without one";
    assertThat(measured(batched)).hasValue(4);
    assertThat(measured("inbox, folded, speed of the one by hand")).hasValue(0.95);
  }

  @Test
  void speedAfterAnOutageIsComparedWithAPlainDrainOfTheSameScenario() {
    add("drain", Contestant.ANGARIUM, "", "messages/s", 1);
    add("outage", Contestant.ANGARIUM, "plain drain", "messages/s", 100, 300);
    add("outage", Contestant.ANGARIUM, "60 s", "messages/s", 180, 140);

    assertThat(measured("speed after an outage, of a plain drain")).hasValue(0.8);
  }

  @Test
  void flatOutIsJudgedWithOneAndWithTenMessagesAndByItsBacklog() {
    for (String parameter : List.of("1 per transaction", "10 per transaction")) {
      double raw = parameter.startsWith("10") ? 10_000 : 1_000;
      add("flat-out", Contestant.RAW, parameter, "delivered/s", raw);
      add("flat-out", Contestant.RAW_HANDOFF, parameter, "delivered/s", raw * 2);
      add("flat-out", Contestant.ANGARIUM, parameter, "delivered/s", 5_000);
      add("flat-out", Contestant.ANGARIUM, parameter, "backlog at end", 10_000);

      String backlog = "flat out, " + parameter + ", seconds to deliver the backlog at the end";
      assertThat(measured("flat out, " + parameter + ", delivered/s of the faster loop by hand"))
          .hasValue(5_000 / (raw * 2));
      assertThat(measured(backlog)).hasValue(2);
      assertThat(goal(backlog).reachedBy(2)).isFalse();
    }
  }

  @Test
  void noLoopIsTheFasterOneIfOnlyOneWasMeasured() {
    add("flat-out", Contestant.RAW, "1 per transaction", "tx/s", 1_000);
    add("flat-out", Contestant.ANGARIUM, "1 per transaction", "tx/s", 900);

    assertThat(measured("flat out, 1 per transaction, tx/s of the faster loop by hand")).isEmpty();
  }

  @Test
  void keylessLatencyIsComparedWithTheFastestPeer() {
    add("light", Contestant.GRUELBOX, "keyless", "p50 ms", 4);
    add("light", Contestant.NAMASTACK, "keyless", "p50 ms", 2);
    add("light", Contestant.ANGARIUM, "keyless", "p50 ms", 3);

    assertThat(measured("light, keyless, p50 of the fastest peer's")).hasValue(1.5);
  }

  @Test
  void heapOfTheLargestBacklogIsComparedWithTheOneBefore() {
    add("backlog", Contestant.ANGARIUM, "1000000", "live heap MB", 20);
    add("backlog", Contestant.ANGARIUM, "5000000", "live heap MB", 25);

    String what = "live heap MB of a backlog of 5 000 000, of that of 1 000 000";
    assertThat(measured(what)).hasValue(1.25);
    assertThat(goal(what).reachedBy(1.25)).isFalse();
  }

  @Test
  void delayByAnOpenWriterIsToldBesideTheNoiseOfEqualRounds() {
    add("open-writer", Contestant.ANGARIUM, "none", "p99 ms", 5, 9);
    add("open-writer", Contestant.ANGARIUM, "open all the time", "p99 ms", 7, 8);
    add("open-writer", Contestant.ANGARIUM, "none", "database CPU us/msg", 10, 20);
    add("open-writer", Contestant.ANGARIUM, "open all the time", "database CPU us/msg", 18, 18);

    Goal delay = goal("writer open for 60 s, p99 ms more than without");
    assertThat(delay.measured().on(lookup())).hasValue(0.5);
    assertThat(delay.noise().on(lookup())).hasValue(4);
    Goal cost = goal("writer open for 60 s, database CPU/msg of that without");
    assertThat(cost.measured().on(lookup())).hasValue(1.2);
    assertThat(cost.noise().on(lookup())).hasValue(2);
  }

  @Test
  void whatComesOutBelowNothingIsNoNumber() {
    add("idle", Contestant.ANGARIUM, "0", "database percent of a core", 3);
    add("idle", Contestant.ANGARIUM, "50", "database percent of a core", 2);
    add("backlog", Contestant.ANGARIUM, "1000", "database CPU us/msg", -1);
    add("backlog", Contestant.ANGARIUM, "10000", "database CPU us/msg", 5);

    assertThat(measured("50 idle relays, percent of a core of the database")).hasValue(Double.NaN);
    assertThat(measured("backlog 1 000 to 5 000 000, largest of the smallest database CPU/msg"))
        .hasValue(Double.NaN);
  }

  @Test
  void whatWasNotMeasuredIsNotReached() {
    assertThat(Goals.all()).allSatisfy(goal -> assertThat(goal.measured().on(lookup())).isEmpty());
  }

  private Lookup lookup() {
    return new Lookup(results, DATABASE);
  }

  private OptionalDouble measured(String what) {
    return goal(what).measured().on(lookup());
  }

  private static Goal goal(String what) {
    return Goals.all().stream().filter(g -> g.what().equals(what)).findFirst().orElseThrow();
  }

  private void add(
      String scenario, Contestant arm, String parameter, String metric, double... values) {
    Section section = new Section(scenario, DATABASE);
    if (!results.sections().contains(section)) {
      results.begin(section, new Run("now", "here"));
    }
    int round = 0;
    for (double value : values) {
      results.add(new Measurement(section, arm.name(), parameter, ++round, metric, value));
    }
  }
}
