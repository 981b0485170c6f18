package io.angarium.board;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.relay.settings.Route;
import io.angarium.transport.SendResult;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SendCountsTest {
  private final SendCounts counts = new SendCounts();

  @Test
  void everythingIsCountedByDestination() {
    StoredMessage a = CountedMessages.to("kafka:a");
    CountedMessages.sent(counts, "kafka:a", 5);
    CountedMessages.sent(counts, "kafka:a", 500);
    counts.attempted(a, Route.PROMPT, new SendResult.Failed("x", null));
    counts.attempted(a, Route.PROMPT, new SendResult.Refused("x", null));
    counts.attempted(a, Route.PROMPT, new SendResult.Unavailable("x", null));
    counts.dead(a, "x");
    counts.dead(a, "x");
    counts.attempted(CountedMessages.to("kafka:b"), Route.PROMPT, new SendResult.Failed("x", null));

    Map<String, Throughput> taken = counts.take();

    Throughput ofA = Objects.requireNonNull(taken.get("kafka:a"));
    assertThat(ofA.sent()).isEqualTo(2);
    assertThat(ofA.delays().counts().get(3)).isEqualTo(1);
    assertThat(ofA.delays().counts().get(9)).isEqualTo(1);
    assertThat(ofA.failed()).isEqualTo(1);
    assertThat(ofA.refused()).isEqualTo(1);
    assertThat(ofA.unavailable()).isEqualTo(1);
    assertThat(ofA.dead()).isEqualTo(2);
    assertThat(taken.get("kafka:b")).isEqualTo(new Throughput(1, 0, 0, 0, DelayBuckets.NONE));
  }

  @Test
  void onlyWhatIsNewIsTaken() {
    CountedMessages.sent(counts, "kafka:a");
    CountedMessages.sent(counts, "kafka:b");
    counts.take();
    CountedMessages.sent(counts, "kafka:b");

    Map<String, Throughput> taken = counts.take();

    assertThat(taken).containsOnlyKeys("kafka:b");
    assertThat(Objects.requireNonNull(taken.get("kafka:b")).sent()).isEqualTo(1);
    assertThat(counts.take()).isEmpty();
    assertThat(counts.total().sent()).isEqualTo(3);
  }

  @Test
  void destinationsWithLeastShareOneCount() {
    for (int i = 0; i < 25; i++) {
      for (int n = 0; n <= i; n++) {
        CountedMessages.sent(counts, "kafka:" + i);
      }
    }

    Map<String, Throughput> taken = counts.take();

    assertThat(taken).hasSize(MinuteOfDestination.DESTINATIONS_MAX + 1);
    assertThat(taken.keySet().iterator().next()).isEqualTo("kafka:24");
    assertThat(taken).containsKey("kafka:5").doesNotContainKey("kafka:4");
    assertThat(Objects.requireNonNull(taken.get(MinuteOfDestination.OTHER)).sent())
        .isEqualTo(1 + 2 + 3 + 4 + 5);
  }

  @Test
  void endlessDestinationsTakeABoundedPlaceAndLoseNoCount() {
    long sent = 0;
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 600; i++, sent++) {
        CountedMessages.sent(counts, "http:" + round + "/" + i);
      }
      counts.take();
    }

    assertThat(counts.total().sent()).isEqualTo(sent);
    assertThat(counts.size()).isLessThanOrEqualTo(SendCounts.COUNTED_MAX);
    CountedMessages.sent(counts, "kafka:a");
    counts.take();
    CountedMessages.sent(counts, "kafka:a");
    assertThat(counts.take()).containsOnlyKeys("kafka:a");
  }

  @Test
  void healthyMessageAllocatesNothing() {
    StoredMessage message = CountedMessages.to("kafka:a");
    Duration age = Duration.ofMillis(12);
    count(message, age, 20_000);
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

    long before = threads.getCurrentThreadAllocatedBytes();
    count(message, age, 100_000);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(allocated).isLessThan(100_000); // less than a byte for each
  }

  private void count(StoredMessage message, Duration age, int times) {
    for (int i = 0; i < times; i++) {
      counts.attempted(message, Route.PROMPT, SendResult.ACKNOWLEDGED);
      counts.sent(message, Route.PROMPT, age);
    }
  }
}
