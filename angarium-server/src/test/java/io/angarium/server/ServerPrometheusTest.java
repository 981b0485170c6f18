package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.Outbox;
import io.angarium.confirmation.Confirmations;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.Verdict;
import io.angarium.http.check.CheckBackEndpoint;
import io.angarium.micrometer.ReconciliationMetrics;
import io.angarium.reconciliation.Digest;
import io.angarium.reconciliation.Report;
import io.angarium.reconciliation.Window;
import io.angarium.testservers.FreePort;
import io.angarium.testservers.PrometheusServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.yaml.snakeyaml.Yaml;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * A real Prometheus scrapes the server under load and troubles, and is asked every expression of
 * docs/monitoring: it refuses none, and each panel of the dashboard has something to show.
 */
@Thorough
@RequiresServer(Server.PROMETHEUS)
class ServerPrometheusTest {
  private static final Path MONITORING = Path.of("../docs/monitoring");
  private static final long LIMIT_SECONDS = 180;
  private static final String TASK = "orders";

  /** What this server does not do: it has no intake from Kafka. */
  private static final Set<String> WITHOUT_DATA = Set.of("angarium_server_intake_lag");

  /** Troubles of this scene that a rule finds, whatever its hold. */
  private static final Set<String> FOUND =
      Set.of(
          "AngariumDeadLetters",
          "AngariumDestinationDown",
          "AngariumBothSidesDiffer",
          "AngariumHalfMessagesWaitForAPerson");

  private static HttpServer others;
  private static ServerUnderTest server;
  private static PrometheusServer prometheus;

  @BeforeAll
  static void start() throws IOException {
    others = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    answer("/takes", 204);
    answer("/refuses", 400);
    answer("/fails", 500);
    CheckBackEndpoint endpoint = new CheckBackEndpoint(Map.of("order", key -> Verdict.UNKNOWN));
    others.createContext(
        "/check-back",
        exchange -> {
          try (exchange) {
            String question = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
            CheckBackEndpoint.Reply reply = endpoint.answer(question);
            byte[] body = reply.body().getBytes(UTF_8);
            exchange.sendResponseHeaders(reply.status(), body.length);
            exchange.getResponseBody().write(body);
          }
        });
    others.start();
    server =
        ServerUnderTest.open(
            hook("takes"),
            hook("refuses"),
            hook("fails"),
            "angarium.http.hooks.away.url=http://127.0.0.1:" + FreePort.find() + "/",
            "angarium.metrics.histogram=true",
            "angarium.confirmation.destinations=http:takes",
            "angarium.alerts.enabled=true",
            "angarium.alerts.rules.dead-letters.hold=0s",
            "angarium.half.check.first=1s",
            "angarium.half.check.min-pause=100ms",
            "angarium.half.check.unknown-max=2",
            "angarium.half.check.allowed-hosts=" + host(),
            "angarium.server.grpc.enabled=true",
            "angarium.server.grpc.port=0");
    server.bean(ReconciliationMetrics.class).show(TASK);
    prometheus =
        PrometheusServer.start("centre", URI.create(server.address() + "/actuator/prometheus"));
  }

  private static void answer(String path, int status) {
    others.createContext(
        path,
        exchange -> {
          try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(status, -1);
          }
        });
  }

  private static String host() {
    return "127.0.0.1:" + others.getAddress().getPort();
  }

  private static String hook(String name) {
    return "angarium.http.hooks." + name + ".url=http://" + host() + "/" + name;
  }

  @AfterAll
  static void stop() {
    prometheus.close();
    server.close();
    others.stop(0);
  }

  @Test
  void everyExpressionIsAnsweredAndEveryPanelHasSomethingToShow() throws IOException {
    Map<String, String> rules = rules();
    List<String> panels = expressions();
    Set<String> empty = new TreeSet<>();
    Set<String> silent = new TreeSet<>();
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    int round = 0;

    do {
      live(round++);
      empty.clear();
      silent.clear();
      panels.stream().filter(expression -> series(expression) == 0).forEach(empty::add);
      rules.forEach(
          (alert, expression) -> {
            if (series(expression) == 0 && FOUND.contains(alert)) {
              silent.add(alert);
            }
          });
      empty.removeIf(expression -> WITHOUT_DATA.stream().anyMatch(expression::contains));
    } while ((!empty.isEmpty() || !silent.isEmpty()) && System.nanoTime() < deadline);

    assertThat(panels).hasSizeGreaterThan(40);
    assertThat(rules).containsKeys(FOUND.toArray(new String[0]));
    assertThat(empty).as("panels that show nothing").isEmpty();
    assertThat(silent).as("rules that do not find their trouble").isEmpty();
  }

  @Test
  void wrongExpressionIsRefused() {
    assertThatThrownBy(() -> prometheus.query("sum by (job) (angarium_partitions"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("parse error");
    assertThat(series("angarium_nothing")).isZero();
  }

  /** A second of trade with all its troubles. */
  private static void live(int round) {
    TransactionTemplate transaction =
        new TransactionTemplate(server.bean(PlatformTransactionManager.class));
    List<MessageId> sent = new ArrayList<>();
    for (String hook : List.of("takes", "takes", "refuses", "fails", "away")) {
      MessageId id =
          transaction.execute(
              status -> server.bean(Outbox.class).send(Message.of("http:" + hook, new byte[] {1})));
      if (hook.equals("takes") && id != null) {
        sent.add(id);
      }
    }
    trade(server.half(), "over-http-" + round);
    trade(server.grpc(null), "over-grpc-" + round);
    HalfMessage nowhere =
        HalfMessage.of(new HalfKey("order", "x"), Message.of("nowhere:x", new byte[] {1}));
    assertThatThrownBy(() -> server.grpc(null).prepare(nowhere)).isNotNull();
    HalfKey lost = new HalfKey("order", "lost-" + round);
    server
        .half()
        .prepare(
            HalfMessage.of(lost, Message.of("http:takes", new byte[] {1}))
                .checkBack(URI.create("http://" + host() + "/check-back")));
    LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
    server.bean(Confirmations.class).confirm(sent.subList(0, 1)); // the other one stays
    server
        .bean(ReconciliationMetrics.class)
        .compared(
            TASK,
            new Report(
                new Window(Instant.EPOCH, Instant.EPOCH.plusSeconds(60)),
                Digest.NONE,
                Digest.NONE,
                List.of("1"),
                List.of(),
                List.of(),
                true));
  }

  private static void trade(HalfMessages half, String name) {
    HalfKey key = new HalfKey("order", name);
    half.prepare(HalfMessage.of(key, Message.of("http:takes", new byte[] {1})));
    half.commit(key);
    assertThatThrownBy(() -> half.rollback(key)).isNotNull(); // and that is refused
  }

  private static int series(String expression) {
    String asked =
        expression
            .replace("$application", ".*")
            .replace("$destination", ".*")
            .replace("$business", ".*")
            .replace("$__rate_interval", "15s");
    JsonNode answer = JsonMapper.shared().readTree(prometheus.query(asked));
    assertThat(answer.get("status").asString()).as(asked).isEqualTo("success");
    return answer.at("/data/result").size();
  }

  private static List<String> expressions() throws IOException {
    JsonNode dashboard =
        JsonMapper.shared().readTree(Files.readString(MONITORING.resolve("grafana-angarium.json")));
    List<String> expressions = new ArrayList<>();
    dashboard
        .get("panels")
        .forEach(
            panel ->
                panel
                    .path("targets")
                    .forEach(target -> expressions.add(target.get("expr").asString())));
    return expressions;
  }

  private static Map<String, String> rules() throws IOException {
    String file = Files.readString(MONITORING.resolve("prometheus-rules.yml"));
    Map<String, List<Map<String, List<Map<String, Object>>>>> read = new Yaml().load(file);
    Map<String, String> rules = new TreeMap<>();
    read.get("groups")
        .forEach(
            group ->
                group
                    .get("rules")
                    .forEach(
                        rule ->
                            rules.put(
                                String.valueOf(rule.get("alert")),
                                String.valueOf(rule.get("expr")))));
    return rules;
  }
}
