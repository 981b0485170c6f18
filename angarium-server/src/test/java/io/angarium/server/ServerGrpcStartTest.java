package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.angarium.grpc.GrpcHalfConfig;
import io.angarium.grpc.GrpcHalfMessages;
import io.angarium.grpc.GrpcHalfServer;
import io.angarium.grpc.v1.HalfMessagesGrpc;
import io.angarium.grpc.v1.HalfWire;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.NotPermittedException;
import io.angarium.intake.MessageIntake;
import io.angarium.server.grpc.GrpcLifecycle;
import io.angarium.testservers.TestCertificate;
import io.grpc.Channel;
import io.grpc.InsecureChannelCredentials;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.TlsChannelCredentials;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
        .anyMatch(f -> f.startsWith(GRPC + "certificate: none (expected: a file"))
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
    TestCertificate certificate = TestCertificate.in(folder);
    try (ServerUnderTest server =
        ServerUnderTest.open(
            GRPC + "enabled=true",
            GRPC + "port=0",
            GRPC + "certificate=" + certificate.certificate(),
            GRPC + "private-key=" + certificate.privateKey())) {
      var trusting =
          TlsChannelCredentials.newBuilder()
              .trustManager(certificate.certificate().toFile())
              .build();
      HalfWire.StatesRequest request = HalfWire.StatesRequest.getDefaultInstance();

      assertThat(stub(server.channel(trusting)).states(request).getStatesCount()).isZero();
      assertThatThrownBy(
              () -> stub(server.channel(InsecureChannelCredentials.create())).states(request))
          .isInstanceOf(StatusRuntimeException.class)
          .hasMessageContaining("UNAVAILABLE");
    }
  }

  @Test
  void clientsShowACertificateWhereItIsWantedAndTheirKeyBesides() throws Exception {
    TestCertificate its = certificate("server");
    TestCertificate known = certificate("known");
    TestCertificate stranger = certificate("stranger");
    try (ServerUnderTest server =
        ServerUnderTest.open(
            "angarium.server.api-keys.shop.hashes=" + ServerUnderTest.HASH,
            "angarium.server.api-keys.shop.businesses=*",
            "angarium.server.api-keys.shop.steps=read",
            GRPC + "enabled=true",
            GRPC + "port=0",
            GRPC + "certificate=" + its.certificate(),
            GRPC + "private-key=" + its.privateKey(),
            GRPC + "client-certificates=" + known.certificate())) {
      assertThat(asked(server, its, known, ServerUnderTest.KEY)).isEqualTo(Status.Code.OK);
      assertThat(asked(server, its, known, null)).isEqualTo(Status.Code.UNAUTHENTICATED);
      assertThat(asked(server, its, stranger, ServerUnderTest.KEY))
          .isEqualTo(Status.Code.UNAVAILABLE);
      assertThat(asked(server, its, null, ServerUnderTest.KEY)).isEqualTo(Status.Code.UNAVAILABLE);
    }
  }

  private TestCertificate certificate(String name) throws IOException {
    return TestCertificate.in(Files.createDirectory(folder.resolve(name)));
  }

  /**
   * What a question is answered.
   *
   * @param own with the certificate that is shown; null for none
   * @param key null for none
   */
  private static Status.Code asked(
      ServerUnderTest server,
      TestCertificate its,
      @Nullable TestCertificate own,
      @Nullable String key) {
    GrpcHalfServer address =
        GrpcHalfServer.of("grpcs://127.0.0.1:" + server.bean(GrpcLifecycle.class).port())
            .trusting(its.certificate());
    GrpcHalfServer shown =
        own == null ? address : address.showing(own.certificate(), own.privateKey());
    try (GrpcHalfMessages half =
        GrpcHalfMessages.open(shown, GrpcHalfConfig.DEFAULTS.apiKey(key), MessageIntake.of(null))) {
      return code(half);
    }
  }

  private static Status.Code code(HalfMessages half) {
    Throwable failure = catchThrowable(() -> half.state(new HalfKey("order", "none")));
    Throwable cause = failure == null || failure.getCause() == null ? failure : failure.getCause();
    if (failure instanceof NotPermittedException) {
      assertThat(failure).hasMessageContaining("UNAUTHENTICATED");
      return Status.Code.UNAUTHENTICATED;
    }
    return cause == null ? Status.Code.OK : Status.fromThrowable(cause).getCode();
  }

  private static HalfMessagesGrpc.HalfMessagesBlockingStub stub(Channel channel) {
    return HalfMessagesGrpc.newBlockingStub(channel).withDeadlineAfter(1, TimeUnit.MINUTES);
  }
}
