package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.grpc.v1.HalfMessagesGrpc;
import io.angarium.grpc.v1.HalfWire;
import io.grpc.Channel;
import io.grpc.InsecureChannelCredentials;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How gRPC starts at the server, and what stops that. */
class ServerGrpcStartTest {
  private static final String GRPC = "angarium.server.grpc.";
  private static final String CHECK_BACK = "angarium.server.check-back.grpc.";

  @TempDir private Path folder;

  @Test
  void everyFaultIsListedAtOnce() throws Exception {
    Path noCertificate = Files.writeString(folder.resolve("no.pem"), "no certificate");

    List<String> faults =
        ServerStartTest.faults(
            GRPC + "enabled=true",
            GRPC + "host=0.0.0.0",
            GRPC + "port=70000",
            GRPC + "requests=0",
            GRPC + "request-max=1B",
            GRPC + "certificate=" + noCertificate,
            GRPC + "private-key=" + noCertificate,
            GRPC + "colour=red",
            CHECK_BACK + "allowed-hosts=shop",
            CHECK_BACK + "trusted-certificates=" + noCertificate + ".none");

    assertThat(faults)
        .anyMatch(f -> f.startsWith("angarium.server.api-keys: none") && f.contains("grpc.host"))
        .anyMatch(f -> f.startsWith(GRPC + "port: 70000 (expected: 0..65535"))
        .anyMatch(f -> f.startsWith(GRPC + "requests: 0 (expected: 1..10000"))
        .anyMatch(f -> f.startsWith(GRPC + "request-max: 1B (expected: "))
        .anyMatch(f -> f.startsWith(GRPC + "certificate: " + noCertificate))
        .anyMatch(f -> f.startsWith(GRPC + "colour: unknown property"))
        .anyMatch(f -> f.startsWith(CHECK_BACK + "allowed-hosts: 'shop' (expected: host:port"))
        .anyMatch(f -> f.startsWith(CHECK_BACK + "trusted-certificates: " + noCertificate))
        .hasSize(8);
  }

  @Test
  void partsThatBelongTogetherAreWantedTogether() {
    List<String> faults =
        ServerStartTest.faults(
            GRPC + "enabled=true",
            GRPC + "host=no such host",
            GRPC + "private-key=key.pem",
            GRPC + "client-certificates=ca.pem",
            CHECK_BACK + "trusted-certificates=ca.pem");

    assertThat(faults)
        .anyMatch(f -> f.startsWith(GRPC + "host: 'no such host'"))
        .anyMatch(f -> f.startsWith(GRPC + "certificate: null (expected: a file"))
        .anyMatch(f -> f.startsWith(GRPC + "client-certificates: ca.pem (expected: none"))
        .anyMatch(f -> f.startsWith(CHECK_BACK + "allowed-hosts: none"));
  }

  @Test
  void portThatIsTakenStopsTheStart() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(
              () ->
                  ServerUnderTest.open(GRPC + "enabled=true", GRPC + "port=" + taken.getLocalPort())
                      .close())
          .hasStackTraceContaining("127.0.0.1:" + taken.getLocalPort())
          .hasStackTraceContaining("angarium.server.grpc.host and port");
    }
  }

  @Test
  void nothingListensUnlessItIsWanted() {
    try (ServerUnderTest server = ServerUnderTest.open("angarium.relay.enabled=false")) {
      assertThat(server.bean(GrpcLifecycle.class).isRunning()).isFalse();
    }
  }

  @Test
  void withACertificateItSpeaksTlsOnly() throws Exception {
    Certificates.write(folder);
    try (ServerUnderTest server =
        ServerUnderTest.open(
            GRPC + "enabled=true",
            GRPC + "port=0",
            GRPC + "certificate=" + folder.resolve("certificate.pem"),
            GRPC + "private-key=" + folder.resolve("key.pem"))) {
      var trusting =
          TlsChannelCredentials.newBuilder()
              .trustManager(folder.resolve("certificate.pem").toFile())
              .build();
      HalfWire.StatesRequest request = HalfWire.StatesRequest.getDefaultInstance();

      assertThat(stub(server.channel(trusting)).states(request).getStatesCount()).isZero();
      assertThatThrownBy(
              () -> stub(server.channel(InsecureChannelCredentials.create())).states(request))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("UNAVAILABLE");
    }
  }

  private static HalfMessagesGrpc.HalfMessagesBlockingStub stub(Channel channel) {
    return HalfMessagesGrpc.newBlockingStub(channel).withDeadlineAfter(1, TimeUnit.MINUTES);
  }
}
