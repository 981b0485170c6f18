package io.angarium.board;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Destination;
import io.angarium.relay.settings.CircuitState;
import io.angarium.relay.status.CircuitStatus;
import io.angarium.relay.status.RelayStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeStatusTest {
  private static final Instant AT = Instant.parse("2026-11-29T01:02:03.456789Z");
  private static final UUID INCARNATION = UUID.fromString("01a217cf-8c75-71ff-a812-818f3ab7c4af");

  @Test
  void isReadAsItWasWritten() {
    NodeStatus status =
        status("a \"b\"\\\n\u0001😀", "down: \"x\" 界", 3)
            .unreachable(List.of(new UnreachableProducer("https://x", AT, "\"no\"")));

    assertThat(NodeStatus.parse(status.json())).isEqualTo(status);
  }

  @Test
  void bareStatusIsReadAsItWasWritten() {
    RelayStatus relay =
        new RelayStatus("a", INCARNATION, AT, null, null, 0, 0, 1, 0, List.of(), null, null);
    NodeStatus status =
        new NodeStatus("", "", "", true, relay, Throughput.NONE, Duration.ofSeconds(1));

    assertThat(NodeStatus.parse(status.json())).isEqualTo(status);
  }

  @Test
  void longStatusLosesItsLastCircuits() {
    NodeStatus status = status("n".repeat(128), "界".repeat(200), 20);

    String json = status.json();

    NodeStatus read = NodeStatus.parse(json);
    assertThat(json.getBytes(StandardCharsets.UTF_8).length)
        .isLessThanOrEqualTo(NodeStatus.JSON_BYTES_MAX);
    assertThat(read.relay().circuits()).isNotEmpty().hasSizeLessThan(20);
    assertThat(read.relay().circuits())
        .isEqualTo(status.relay().circuits().subList(0, read.relay().circuits().size()));
    assertThat(read.relay().notClosed()).isEqualTo(20);
  }

  @Test
  void longStatusKeepsSomeOfBothLists() {
    List<UnreachableProducer> producers =
        IntStream.range(0, 20)
            .mapToObj(i -> new UnreachableProducer("https://p" + i, AT, "界".repeat(200)))
            .toList();
    NodeStatus status = status("a", "界".repeat(200), 20).unreachable(producers);

    String json = status.json();

    NodeStatus read = NodeStatus.parse(json);
    assertThat(json.getBytes(StandardCharsets.UTF_8).length)
        .isLessThanOrEqualTo(NodeStatus.JSON_BYTES_MAX);
    assertThat(read.unreachable()).isNotEmpty();
    assertThat(read.relay().circuits()).isNotEmpty();
  }

  @Test
  void halfACharacterIsWrittenSoThatItCanBeStored() {
    NodeStatus status = status("a\ud83d", "x", 1);

    String json = status.json();

    assertThat(json).doesNotContain("\ud83d");
    assertThat(NodeStatus.parse(json)).isEqualTo(status);
  }

  @Test
  void whatANewerVersionAddedIsPassedOver() {
    NodeStatus status = status("a", "x", 2);
    String newer =
        status
            .json()
            .replaceFirst("\\{", "{\"pauses\": {\"applied\": [1, -2.5e3, null, true]}, ")
            .replaceFirst("\"OPEN\"", "\"NEWER\"");

    NodeStatus read = NodeStatus.parse(newer);

    assertThat(read.relay().node()).isEqualTo("a");
    assertThat(read.relay().circuits()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "{",
        "[]",
        "{}",
        "{\"node\":1}",
        "{\"node\":\"a\",}",
        "{\"node\":\"a\"} x",
        "{\"a\":\"\\u00g0\"}",
        "{\"a\":\"\\u00",
        "{\"a\":[[[[[[[[[[1]]]]]]]]]]}",
        "{\"incarnation\":\"x\"}"
      })
  void anythingElseIsRefused(String text) {
    assertThatThrownBy(() -> NodeStatus.parse(text)).isInstanceOf(IllegalArgumentException.class);
  }

  private static NodeStatus status(String node, String reason, int circuits) {
    RelayStatus relay =
        new RelayStatus(
            node,
            INCARNATION,
            AT,
            AT.minusSeconds(9),
            new RelayStatus.Rest(AT.plusSeconds(1), "why"),
            1,
            2,
            3,
            circuits,
            IntStream.range(0, circuits)
                .mapToObj(
                    i ->
                        new CircuitStatus(
                            Destination.parse("kafka:d" + i),
                            i == 1 ? CircuitState.HALF_OPEN : CircuitState.OPEN,
                            reason,
                            AT,
                            i == 1 ? null : AT.plusSeconds(i)))
                .toList(),
            new RelayStatus.StoreFailure("read", "gone \"away\"", AT, 4),
            "stands still");
    long[] delays = IntStream.range(0, DelayBuckets.COUNT).mapToLong(i -> i).toArray();
    return new NodeStatus(
        "shop",
        "host",
        "1.0",
        false,
        relay,
        new Throughput(1, 2, 3, 4, DelayBuckets.of(delays)),
        Duration.ofMillis(60_001));
  }
}
