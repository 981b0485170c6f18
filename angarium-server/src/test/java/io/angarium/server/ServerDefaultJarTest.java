package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server with the libraries of its default jar, which has neither Dubbo nor RocketMQ. */
class ServerDefaultJarTest {
  @TempDir private Path folder;

  private ServerProcess start(String... options) throws IOException {
    String classPath =
        Path.of("target", "classes").toAbsolutePath()
            + File.pathSeparator
            + Files.readString(Path.of("target", "class-path.txt")).strip();
    return new ServerProcess(folder, classPath, List.of("-Xmx256m"), List.of(options));
  }

  @Test
  void itServesHttpAndGrpcAndItsMetrics() throws Exception {
    try (ServerProcess server =
        start(
            "--server.port=0",
            "--angarium.server.grpc.enabled=true",
            "--angarium.server.grpc.port=0")) {
      URI metrics = URI.create(server.address() + "/actuator/prometheus");

      server.awaitOutput("  gRPC      127.0.0.1:");
      assertThat(
              HttpClient.newHttpClient()
                  .send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
                  .body())
          .contains("jvm_memory_used_bytes");
    }
  }

  @Test
  void whoeverSwitchesOnWhatItLacksIsToldWhichJarHasIt() throws Exception {
    try (ServerProcess server =
        start(
            "--server.port=0",
            "--angarium.server.dubbo.enabled=true",
            "--angarium.server.dubbo.businesses=7",
            "--angarium.server.dubbo.destinations=log:*",
            "--angarium.server.check-back.dubbo.allowed-addresses=dubbo://127.0.0.1:1",
            "--angarium.rocketmq.enabled=true",
            "--angarium.kafka.properties.sasl.mechanism=OAUTHBEARER",
            "--spring.kafka.properties.[sasl.mechanism]=OAUTHBEARER")) {
      String jar = "start angarium-server-…-full.jar with the same options";

      server.awaitOutput(
          "angarium.server.dubbo.enabled: true (expected: another jar, as this one has no Dubbo: "
              + jar);
      server.awaitOutput(
          "angarium.server.check-back.dubbo.allowed-addresses: set (expected: another jar, as this one has no Dubbo: "
              + jar);
      server.awaitOutput(
          "angarium.rocketmq.enabled: true (expected: another jar, as this one has no RocketMQ: "
              + jar);
      for (String prefix : List.of("angarium.kafka.properties", "spring.kafka.properties")) {
        server.awaitOutput(
            prefix
                + ".sasl.mechanism: OAUTHBEARER (expected: another jar, as this one has no Jackson"
                + " 2 for it: "
                + jar);
      }
      assertThat(server.ended()).isEqualTo(1);
      assertThat(server.output()).doesNotContain("NoClassDefFound", "ClassNotFound");
    }
  }
}
