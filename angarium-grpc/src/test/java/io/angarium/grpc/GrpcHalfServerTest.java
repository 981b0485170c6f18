package io.angarium.grpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.intake.MessageIntake;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import io.grpc.Grpc;
import io.grpc.InsecureServerCredentials;
import io.grpc.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client of half messages that has a connection of its own. */
class GrpcHalfServerTest {
  private final InMemoryHalfMessages real = new InMemoryHalfMessages(TimeSource.SYSTEM);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private Server server;

  @TempDir private Path folder;

  @BeforeEach
  void start() throws IOException {
    server =
        Grpc.newServerBuilderForPort(0, InsecureServerCredentials.create())
            .addService(new GrpcHalfService(real, threads))
            .build()
            .start();
  }

  @AfterEach
  void stop() {
    server.shutdownNow();
    threads.shutdownNow();
  }

  @Test
  void messagesAreCompletedAndCheckedByTheIntake() {
    HalfKey key = new HalfKey("order", "1");
    GrpcHalfServer address = GrpcHalfServer.of("grpc://127.0.0.1:" + server.getPort());
    try (GrpcHalfMessages half =
        GrpcHalfMessages.open(address, GrpcHalfConfig.DEFAULTS, MessageIntake.of("shop"))) {
      half.prepare(HalfMessage.of(key, Message.of("kafka:orders", new byte[1])));

      assertThat(half.commit(key)).isEqualTo(HalfState.COMMITTED);
      assertThat(real.sent())
          .singleElement()
          .satisfies(sent -> assertThat(sent.createdBy()).isEqualTo("shop"));
      Message wrong = Message.of("kafka:no topic", new byte[1]);
      assertThatThrownBy(() -> half.prepare(HalfMessage.of(new HalfKey("order", "2"), wrong)))
          .isInstanceOf(InvalidMessageException.class);
    }
  }

  @Test
  void afterTheCloseCallsFail() {
    GrpcHalfMessages half =
        GrpcHalfMessages.open(
            GrpcHalfServer.of("grpc://127.0.0.1:" + server.getPort()),
            GrpcHalfConfig.DEFAULTS,
            MessageIntake.of(null));
    HalfKey key = new HalfKey("order", "1");
    assertThat(half.state(key)).isEqualTo(HalfState.UNKNOWN);

    half.close();
    half.close();

    assertThatThrownBy(() -> half.state(key)).isInstanceOf(StoreException.class);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "centre:9090",
        "http://centre:9090",
        "grpc://centre",
        "grpcs://centre:70000",
        "grpcs://centre:9090/path",
        "grpcs://ada:s3cret@centre:9090",
        "no address"
      })
  void anotherAddressIsAFault(String address) {
    assertThatThrownBy(() -> GrpcHalfServer.of(address))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("half.grpc.server: ")
        .hasMessageContaining("grpcs://host:port")
        .hasMessageNotContaining("s3cret");
  }

  @Test
  void everyFaultIsListed() {
    Path file = folder.resolve("none.pem");

    assertThatThrownBy(() -> new GrpcHalfServer("grpc://centre:9090", file, file, null))
        .isInstanceOfSatisfying(
            ConfigurationException.class, e -> assertThat(e.faults()).hasSize(3))
        .hasMessageContaining("half.grpc.trusted-certificates")
        .hasMessageContaining("half.grpc.certificate");
    assertThatThrownBy(() -> GrpcHalfConfig.DEFAULTS.apiKey("two words"))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("half.grpc.api-key: its value")
        .hasMessageNotContaining("two words");
  }

  @Test
  void filesThatAreNoCertificatesAreAFault() throws IOException {
    Path none = folder.resolve("none.pem");
    GrpcHalfServer secure = GrpcHalfServer.of("grpcs://centre:9090");

    secure.checkFiles();
    assertThatThrownBy(() -> secure.trusting(none).checkFiles())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("half.grpc.trusted-certificates: [" + none);
    Files.writeString(none, "no certificate");
    assertThatThrownBy(() -> secure.trusting(none).checkFiles())
        .isInstanceOf(ConfigurationException.class);
    assertThatThrownBy(() -> secure.showing(none, none).checkFiles())
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("half.grpc.certificate: [" + none);
  }
}
