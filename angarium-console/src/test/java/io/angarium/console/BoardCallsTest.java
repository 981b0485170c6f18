package io.angarium.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.board.DelayBuckets;
import io.angarium.board.MinuteOfDestination;
import io.angarium.board.NodeStatus;
import io.angarium.board.Throughput;
import io.angarium.console.access.Grant;
import io.angarium.console.access.KeyAccess;
import io.angarium.console.access.KeyAccess.HashedKey;
import io.angarium.console.access.KeyHash;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;
import io.angarium.console.settings.ConsoleSettings;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.NodeView;
import io.angarium.desk.PartitionView;
import io.angarium.relay.settings.CircuitState;
import io.angarium.relay.status.CircuitStatus;
import io.angarium.relay.status.RelayStatus;
import io.angarium.testkit.ManualClock;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What the console shows of the node board. */
class BoardCallsTest {
  private static final UUID A = new UUID(1, 1);
  private static final UUID B = new UUID(1, 2);
  private static final String SECRET = "http:https://ada:secret@hooks.example.com/x?token=1";

  private final ManualClock clock = new ManualClock(FakeDesk.NOW);
  private ConsoleUnderTest server;

  @BeforeEach
  void open() {
    KeyAccess keys =
        new KeyAccess(
            List.of(
                key(Operator.ofAll("viewer", Right.VIEWER)),
                key(
                    new Operator(
                        "orders",
                        List.of(
                            new Grant(Right.OPERATOR, List.of("kafka:orders*"), List.of("*")))))));
    server = new ConsoleUnderTest(clock, ConsoleSettings.of("1.0"), keys);
  }

  @AfterEach
  void close() {
    server.close();
  }

  private static HashedKey key(Operator operator) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(operator.name().getBytes(StandardCharsets.UTF_8));
      return new HashedKey(new KeyHash("sha256:" + HexFormat.of().formatHex(hash)), operator);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private String get(String key, String path) {
    var answer = server.call(key, "GET", "default/" + path, null);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  // ---- series

  private static String series(Instant from, Instant to) {
    return "series?from=" + from + "&to=" + to;
  }

  private void minute(int ago, String destination, long sent) {
    long[] delays = new long[DelayBuckets.COUNT];
    delays[3] = sent;
    server.board.tellMinute(
        UUID.randomUUID(),
        List.of(
            new MinuteOfDestination(
                FakeDesk.NOW.minus(Duration.ofMinutes(ago)),
                destination,
                new Throughput(1, 2, 3, 4, DelayBuckets.of(delays)))));
  }

  private String lastHour() {
    return series(FakeDesk.NOW.minus(Duration.ofHours(1)), FakeDesk.NOW);
  }

  @Test
  void seriesHasAPointForEachMinuteThatIsKnown() {
    minute(30, "kafka:orders", 60);
    minute(10, "kafka:orders", 30);
    minute(10, "kafka:payments", 30);

    String body = get("viewer", lastHour());

    assertThat(body).contains("\"step\":\"PT1M\"");
    assertThat(body.split("\"at\"", -1)).hasSize(1 + 58); // the last two may come later
    assertThat(body)
        .contains(
            "\"at\":\"2026-11-26T11:50:00.000Z\",\"sent\":60,\"failed\":2,\"refused\":4,"
                + "\"unavailable\":6,\"dead\":8,\"p50\":\"PT0.006S\",\"p99\":\"PT0.00796S\"")
        .contains("\"at\":\"2026-11-26T11:49:00.000Z\",\"sent\":0,")
        .contains("\"p50\":null");
  }

  @Test
  void seriesOfOneDestinationIsOfThatAlone() {
    minute(10, "kafka:orders", 30);
    minute(10, "kafka:payments", 5);

    String body = get("viewer", lastHour() + "&destination=kafka:payments");

    assertThat(body).contains("\"sent\":5,").doesNotContain("\"sent\":30,", "\"sent\":35,");
  }

  @Test
  void seriesOfAnOperatorIsThatOfItsScope() {
    minute(10, "kafka:orders", 30);
    minute(10, "kafka:payments", 5);
    minute(10, MinuteOfDestination.OTHER, 7);

    assertThat(get("viewer", lastHour())).contains("\"sent\":42,");
    assertThat(get("orders", lastHour())).contains("\"sent\":30,").doesNotContain("\"sent\":42");
    assertThat(get("orders", lastHour() + "&destination=kafka:payments")).contains("\"points\":[]");
    assertThat(get("viewer", lastHour() + "&destination=")).contains("\"sent\":42,");
  }

  @Test
  void longSeriesHasFewerPoints() {
    minute(2_000, "kafka:orders", 30);

    String body = get("viewer", series(FakeDesk.NOW.minus(Duration.ofDays(2)), FakeDesk.NOW));

    assertThat(body).contains("\"step\":\"PT8M\"").contains("\"sent\":30,");
    assertThat(body.split("\"at\"", -1).length).isBetween(200, 401);
  }

  @Test
  void seriesWithoutAnythingHasNoPoints() {
    assertThat(get("viewer", lastHour())).contains("\"points\":[]");
  }

  @Test
  void badTimesAreRefused() {
    Instant now = FakeDesk.NOW;
    for (String path :
        List.of(
            "series",
            "series?from=" + now,
            series(now, now.minusSeconds(1)),
            series(now.minus(Duration.ofHours(49)), now),
            "series?from=x&to=y")) {
      assertThat(server.call("viewer", "GET", "default/" + path, null).statusCode())
          .as(path)
          .isEqualTo(400);
    }
  }

  @Test
  void databaseWhoseNodesTellNothingHasNoSeries() {
    assertThat(server.call("viewer", "GET", "plain/" + lastHour(), null).statusCode())
        .isEqualTo(404);
    String databases = server.call("viewer", "GET", "databases", null).body();
    assertThat(databases.split("\"series\"", -1)).hasSize(2);
    assertThat(server.call("viewer", "GET", "plain/relay", null).body())
        .contains("\"circuits\":null");
    assertThat(server.call("viewer", "GET", "plain/pulse", null).body()).contains("\"rates\":null");
  }

  // ---- nodes and circuits

  private NodeStatus status(
      String node, UUID incarnation, boolean stopped, String... openDestinations) {
    List<CircuitStatus> circuits = new ArrayList<>();
    for (String destination : openDestinations) {
      circuits.add(
          new CircuitStatus(
              Destination.parse(destination),
              CircuitState.OPEN,
              "refused",
              FakeDesk.NOW.minusSeconds(70),
              FakeDesk.NOW.plusSeconds(3)));
    }
    RelayStatus relay =
        new RelayStatus(
            node,
            incarnation,
            clock.instant().plusMillis(3),
            FakeDesk.NOW,
            null,
            27,
            1_204,
            20_000,
            circuits.size(),
            circuits,
            new RelayStatus.StoreFailure("read", "gone", FakeDesk.NOW, 2),
            null);
    long[] delays = new long[DelayBuckets.COUNT];
    delays[4] = 600;
    Throughput recent = new Throughput(6, 0, 0, 1, DelayBuckets.of(delays));
    return new NodeStatus(
        "shop", "host-" + node, "1.0", stopped, relay, recent, Duration.ofSeconds(60));
  }

  private void heartbeat(String node, UUID incarnation, boolean takingPart, long seconds) {
    server.desk.nodes.add(
        new NodeView(
            node, incarnation, takingPart, Duration.ofSeconds(seconds), 27, List.of("kafka")));
  }

  @Test
  void nodesAreToldApart() {
    heartbeat("a", A, true, 9);
    heartbeat("b", B, false, 9);
    heartbeat("c", new UUID(1, 3), true, -5);
    server.board.tell(status("a", A, false));
    server.board.tell(status("d", new UUID(1, 4), true));
    server.board.tell(status("e", new UUID(1, 5), false));
    server.board.tell(status("a", new UUID(1, 6), true)); // an earlier start

    String body = get("viewer", "relay");

    assertThat(body)
        .contains("\"node\":\"a\",\"incarnation\":\"" + A + "\",\"state\":\"live\"")
        .contains("\"node\":\"b\",\"incarnation\":\"" + B + "\",\"state\":\"resting\"")
        .contains("\"node\":\"c\"", "\"state\":\"silent\"")
        .contains("\"node\":\"d\"", "\"state\":\"stopped\"")
        .contains("\"node\":\"e\"");
    assertThat(body.split("\"node\":\"a\"", -1)).hasSize(2);
    assertThat(body)
        .contains(
            "\"application\":\"shop\",\"host\":\"host-a\",\"version\":\"1.0\","
                + "\"startedAt\":\"2026-11-26T12:00:00.000Z\",\"clockAhead\":\"PT0.003S\","
                + "\"inFlight\":1204,\"inFlightMax\":20000,\"sent\":10.0,")
        .contains("\"storeFailure\":{\"task\":\"read\",\"text\":\"gone\"");
  }

  @Test
  void nodeThatHasGoneLongAgoIsNotShown() {
    server.board.tell(status("d", new UUID(1, 4), true));
    server.desk.now = FakeDesk.NOW.plus(Duration.ofMinutes(61));

    assertThat(get("viewer", "relay")).contains("\"nodes\":[]");
  }

  @Test
  void circuitsAreThoseOfLiveNodesAndOfTheScope() {
    server.board.tell(status("a", A, false, "kafka:orders", "kafka:payments", SECRET));
    server.board.tell(status("b", B, false, "kafka:orders"));
    server.board.tell(status("c", new UUID(1, 3), true, "kafka:gone"));

    String all = get("viewer", "relay");
    String mine = get("orders", "relay");

    assertThat(all)
        .contains(
            "{\"destination\":\"kafka:orders\",\"state\":\"open\",\"reason\":\"refused\","
                + "\"since\":\"2026-11-26T11:58:50.000Z\","
                + "\"nextProbe\":\"2026-11-26T12:00:03.000Z\",\"nodes\":2}")
        .contains("kafka:payments", "http:https://hooks.example.com/x")
        .doesNotContain("secret", "token=1", "kafka:gone");
    assertThat(mine).contains("kafka:orders").doesNotContain("kafka:payments", "hooks");
    assertThat(get("orders", "pulse")).contains("kafka:orders").doesNotContain("kafka:payments");
  }

  @Test
  void pulseHasTheRatesOfLiveNodes() {
    server.board.tell(status("c", new UUID(1, 3), false));
    clock.advance(Duration.ofSeconds(16)); // c is silent
    server.board.tell(status("a", A, false));
    server.board.tell(status("b", B, false));
    server.board.tell(status("d", new UUID(1, 4), true));

    assertThat(get("viewer", "pulse"))
        .contains("\"rates\":{\"sent\":20.0,\"failed\":0.2,\"refused\":0.0,\"unavailable\":0.0,")
        .contains("\"p50\":\"PT0.012S\",\"p99\":\"PT0.01592S\"}")
        .contains("\"versions\":[\"1.0\"]");
    assertThat(get("orders", "pulse")).contains("\"rates\":null");
  }

  @Test
  void partitionsAreAsTheyWere() {
    server.desk.partitions.add(
        new PartitionView(3, BoundedCount.upTo(1_001, 7), null, "a", true, 12));

    assertThat(get("viewer", "relay"))
        .contains("{\"partition\":3,\"waiting\":{\"count\":7,\"atLeast\":false}");
  }
}
