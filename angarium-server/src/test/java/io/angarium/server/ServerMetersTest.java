package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.server.metrics.ServerMeter;
import io.grpc.health.v1.HealthCheckRequest;
import io.grpc.health.v1.HealthGrpc;
import io.micrometer.core.instrument.Meter;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.DoublePredicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The meters of the server itself: each moves with what it measures, and the manual has it. */
class ServerMetersTest {
  private static final HalfMessage MESSAGE =
      HalfMessage.of(new HalfKey("order", "1"), Message.of("log:orders", new byte[1]));

  private static ServerUnderTest server;

  @BeforeAll
  static void start() {
    server =
        ServerUnderTest.open(
            "angarium.server.api-keys.shop.hashes=" + ServerUnderTest.HASH,
            "angarium.server.api-keys.shop.businesses=*",
            "angarium.server.api-keys.shop.destinations=*",
            "angarium.server.api-keys.shop.steps=prepare,commit,rollback,read,measure",
            "angarium.server.grpc.enabled=true",
            "angarium.server.grpc.port=0",
            "angarium.server.dubbo.enabled=true",
            "angarium.server.dubbo.trust-message.enabled=false",
            "angarium.server.dubbo.port=" + DubboShop.freePort());
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String scraped() {
    return server
        .send(
            server
                .request("/actuator/prometheus")
                .header("Authorization", "Bearer " + ServerUnderTest.KEY))
        .body();
  }

  private static double value(String series) {
    return scraped()
        .lines()
        .filter(line -> line.startsWith(series + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(series.length() + 1)))
        .findFirst()
        .orElse(0);
  }

  @Test
  void requestsAndRefusalsOverGrpcAreCounted() {
    String requests = "angarium_server_requests_total{way=\"grpc\"}";
    String refusals = "angarium_server_refusals_total{code=\"UNAUTHENTICATED\",way=\"grpc\"}";
    double before = value(requests);
    double refused = value(refusals);

    server.grpc(ServerUnderTest.KEY).prepare(MESSAGE);
    assertThatThrownBy(() -> server.grpc("wrong").prepare(MESSAGE)).isNotNull();
    HealthGrpc.newBlockingStub(server.channel((String) null))
        .check(HealthCheckRequest.getDefaultInstance()); // is no request of a producer

    assertThat(value(requests)).isEqualTo(before + 2);
    assertThat(value(refusals)).isEqualTo(refused + 1);
  }

  @Test
  void requestsAndRefusalsOverDubboAreCounted() {
    String requests = "angarium_server_requests_total{way=\"dubbo\"}";
    String refusals = "angarium_server_refusals_total{code=\"UNAUTHENTICATED\",way=\"dubbo\"}";
    double before = value(requests);
    double refused = value(refusals);

    server.dubbo(ServerUnderTest.KEY).prepare(MESSAGE);
    assertThatThrownBy(() -> server.dubbo("wrong").prepare(MESSAGE)).isNotNull();

    assertThat(value(requests)).isGreaterThanOrEqualTo(before + 2);
    assertThat(value(refusals)).isGreaterThanOrEqualTo(refused + 1);
  }

  @Test
  void memoryOfBodiesIsShown() throws IOException {
    String memory = "angarium_server_body_memory";
    assertThat(value(memory)).isZero();

    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          """
          PUT /v1/half-messages/order/2 HTTP/1.1\r
          Host: localhost\r
          Authorization: Bearer %s\r
          Angarium-Destination: log:orders\r
          Content-Type: text/plain\r
          Content-Length: 60000\r
          \r
          """
              .formatted(ServerUnderTest.KEY)
              .getBytes(UTF_8));
      out.write(new byte[50_000]);
      out.flush();

      await(memory, value -> value > 0 && value <= 60_000);
    }
    await(memory, value -> value == 0);
  }

  private static void await(String series, DoublePredicate expected) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!expected.test(value(series))) {
      assertThat(System.nanoTime()).as(series).isLessThan(deadline);
      LockSupport.parkNanos(20_000_000);
    }
  }

  @Test
  void manualListsEachMeterAsItIs() throws IOException {
    List<String> expected = Arrays.stream(ServerMeter.values()).map(ServerMetersTest::row).toList();

    List<String> rows =
        Files.readString(Path.of("../docs/server.md"))
            .lines()
            .filter(line -> line.startsWith("| `angarium.server.") && line.contains("`angarium_"))
            .toList();

    assertThat(rows).containsExactlyElementsOf(expected);
  }

  private static String row(ServerMeter meter) {
    String kind = meter.type().name().toLowerCase(Locale.ROOT);
    String tags =
        meter.tagKeys().isEmpty()
            ? "–"
            : meter.tagKeys().stream()
                .map(key -> "`" + key + "`")
                .collect(Collectors.joining(", "));
    return "| `%s` | `%s` | %s | %s | %s |"
        .formatted(meter.meterName(), exported(meter), kind, tags, meter.description());
  }

  private static String exported(ServerMeter meter) {
    String name = meter.meterName().replace('.', '_');
    return isCounter(meter) ? name + "_total" : name;
  }

  private static boolean isCounter(ServerMeter meter) {
    return meter.type() == Meter.Type.COUNTER;
  }

  @Test
  void eachSeriesHasHelp() {
    server.grpc(ServerUnderTest.KEY).prepare(MESSAGE);
    assertThatThrownBy(() -> server.grpc("wrong").prepare(MESSAGE)).isNotNull();
    String text = scraped();

    for (ServerMeter meter :
        List.of(ServerMeter.REQUESTS, ServerMeter.REFUSALS, ServerMeter.BODY_MEMORY)) {
      assertThat(text).contains("# HELP " + exported(meter) + " " + meter.description());
    }
  }
}
