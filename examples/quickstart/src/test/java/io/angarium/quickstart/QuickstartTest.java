package io.angarium.quickstart;

import static io.angarium.quickstart.Visitor.count;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Starts the whole quickstart and uses it as a visitor does. */
@RequiresServer(Server.KAFKA)
class QuickstartTest {
  private static final Pattern BROKER_PORT = Pattern.compile("Kafka [^(]*\\(\\w+, port (\\d+)\\)");

  @Test
  @RequiresServer({Server.KAFKA, Server.POSTGRESQL})
  void everyOrderReachesTheStockOnceAndInOrderAlthoughTheBrokerIsKilled() throws Exception {
    try (QuickstartProcess quickstart =
        new QuickstartProcess("--port=0", "--database=postgresql")) {
      Visitor visitor = new Visitor(quickstart.port());

      visitor.placeMany(50, false);
      visitor.placeMany(10, true);
      visitor.awaitBooked(50);
      visitor.command("/demo/broker/kill", "{}");
      visitor.awaitBroker("STOPPED");
      visitor.placeMany(100, false);
      visitor.command("/api/orders", "{\"customer\":\"Ada\",\"item\":\"lamp\",\"quantity\":2}");
      JsonNode meanwhile = visitor.await("orders wait", now -> count(now, "pending") == 101);
      visitor.command("/demo/broker/start", "{}");
      JsonNode end = visitor.awaitBooked(151);

      assertThat(count(meanwhile, "booked")).isEqualTo(50);
      assertThat(count(end, "placed")).isEqualTo(151);
      assertThat(count(end, "booked")).isEqualTo(151);
      assertThat(count(end, "rolledBack")).isEqualTo(10);
      assertThat(count(end, "outOfOrder")).isZero();
      assertThat(count(end, "parked") + count(end, "dead")).isZero();
      OrdersTopic topic = OrdersTopic.read(bootstrapServers(quickstart));
      assertThat(topic.orders()).hasSize(151);
      assertThat(topic.outOfOrder()).isZero();
      assertThatNothingRemainsOf(quickstart);
    }
  }

  @Test
  void h2CanTakeThePlaceOfPostgresAndTheRelayCanBeStopped() throws Exception {
    try (QuickstartProcess quickstart = new QuickstartProcess("--server.port=0", "--database=h2")) {
      Visitor visitor = new Visitor(quickstart.port());

      visitor.command("/demo/relay/stop", "{}");
      visitor.placeMany(40, false);
      JsonNode meanwhile = visitor.await("orders wait", now -> count(now, "pending") == 40);
      visitor.command("/demo/relay/start", "{}");
      JsonNode end = visitor.awaitBooked(40);

      assertThat(quickstart.output()).contains("Database  H2");
      assertThat(count(meanwhile, "booked")).isZero();
      assertThat(count(end, "booked")).isEqualTo(40);
      assertThat(count(end, "outOfOrder")).isZero();
      assertThatThePageIsServed(visitor);
      assertThatWrongOrdersAreRefused(visitor);
      assertThatNothingRemainsOf(quickstart);
    }
  }

  @Thorough
  @Test
  @RequiresServer(Server.RABBITMQ)
  void rabbitMqCanTakeThePlaceOfKafka() throws Exception {
    assertThatOrdersSurviveAKilledBroker("rabbitmq", "Broker    RabbitMQ");
  }

  @Test
  @RequiresServer(Server.ROCKETMQ)
  void rocketMqCanTakeThePlaceOfKafka() throws Exception {
    assertThatOrdersSurviveAKilledBroker("rocketmq", "Broker    RocketMQ");
  }

  private static void assertThatOrdersSurviveAKilledBroker(String broker, String title)
      throws Exception {
    try (QuickstartProcess quickstart =
        new QuickstartProcess("--port", "0", "--database=h2", "--broker", broker)) {
      Visitor visitor = new Visitor(quickstart.port());

      visitor.placeMany(50, false);
      visitor.awaitBooked(50);
      visitor.command("/demo/broker/kill", "{}");
      visitor.awaitBroker("STOPPED");
      visitor.placeMany(100, false);
      JsonNode meanwhile = visitor.await("orders wait", now -> count(now, "pending") == 100);
      visitor.command("/demo/broker/start", "{}");
      JsonNode end = visitor.awaitBooked(150);

      assertThat(quickstart.output()).contains(title);
      assertThat(count(meanwhile, "booked")).isEqualTo(50);
      assertThat(count(end, "placed")).isEqualTo(150);
      assertThat(count(end, "booked")).isEqualTo(150);
      assertThat(count(end, "outOfOrder")).isZero();
      assertThat(count(end, "parked") + count(end, "dead")).isZero();
      assertThatNothingRemainsOf(quickstart);
    }
  }

  @Test
  void aTakenPortIsNamedBeforeAnythingIsStarted() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        QuickstartProcess quickstart = new QuickstartProcess("--port=" + taken.getLocalPort())) {
      int status = quickstart.exitStatus();

      assertThat(status).isEqualTo(1);
      assertThat(quickstart.output())
          .contains("Port " + taken.getLocalPort())
          .contains("--port=")
          .doesNotContain("Starting the database");
    }
  }

  private static void assertThatThePageIsServed(Visitor visitor) throws Exception {
    String page = visitor.get("/").body();

    assertThat(page).contains("<title>Angarium quickstart</title>").doesNotContain("//cdn");
    Matcher links = Pattern.compile("(?:src|href)=\"([^\"]+)\"").matcher(page);
    assertThat(links.results().map(link -> link.group(1)).distinct().toList())
        .contains("quickstart.css", "quickstart.js", "texts.js")
        .allSatisfy(link -> assertThat(visitor.get("/" + link).statusCode()).isEqualTo(200));
  }

  private static void assertThatWrongOrdersAreRefused(Visitor visitor) throws Exception {
    var unknown = visitor.post("/api/orders", order("Nobody", 1));
    var tooMany = visitor.post("/api/orders", order("Ada", 1001));

    assertThat(unknown.statusCode()).isEqualTo(400);
    assertThat(unknown.body()).contains("customer: Nobody (expected: a known customer)");
    assertThat(tooMany.statusCode()).isEqualTo(400);
    assertThat(tooMany.body()).contains("quantity: 1001 (expected: 1..1000)");
  }

  private static String order(String customer, int quantity) {
    return "{\"customer\":\"%s\",\"item\":\"lamp\",\"quantity\":%d}".formatted(customer, quantity);
  }

  private static String bootstrapServers(QuickstartProcess quickstart) {
    Matcher port = BROKER_PORT.matcher(quickstart.output());
    assertThat(port.find()).isTrue();
    return "127.0.0.1:" + port.group(1);
  }

  private static void assertThatNothingRemainsOf(QuickstartProcess quickstart) throws Exception {
    List<ProcessHandle> children = quickstart.children();
    assertThat(children).isNotEmpty();
    assertThat(quickstart.serverFolders()).isNotEmpty();

    quickstart.stop();
    quickstart.exitStatus();

    for (ProcessHandle child : children) {
      assertThat(hasEnded(child)).as("%s%n%s", quickstart.output(), child.info()).isTrue();
    }
    assertThat(quickstart.serverFolders()).isEmpty();
    assertThat(quickstart.filesLeftBehind()).isEmpty();
  }

  private static boolean hasEnded(ProcessHandle child) throws Exception {
    try {
      child.onExit().get(20, TimeUnit.SECONDS);
      return true;
    } catch (TimeoutException e) {
      // Where process 1 does not collect orphans they stay as zombies, which have no program.
      return child.info().command().isEmpty();
    }
  }
}
