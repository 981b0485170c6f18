package io.angarium.grpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.angarium.testservers.TestCertificate;
import io.grpc.Server;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A producer with TLS, and a certificate that only who knows it trusts. */
final class GrpcSecureCheckBackTest {
  @TempDir private Path folder;
  private TestCertificate certificate;
  private Server producer;

  @BeforeEach
  void start() throws Exception {
    certificate = TestCertificate.in(folder);
    producer =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                TlsServerCredentials.create(
                    certificate.certificate().toFile(), certificate.privateKey().toFile()))
            .addService(
                new GrpcCheckBackService(
                    Map.of("order-paid", asked -> Verdict.COMMITTED), Runnable::run))
            .build()
            .start();
  }

  @AfterEach
  void stop() throws InterruptedException {
    producer.shutdownNow();
    assertThat(producer.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
  }

  @Test
  void producerWithATrustedCertificateIsAsked() throws Exception {
    try (GrpcCheckBackTransport transport =
        GrpcCheckBackTransport.open(
            GrpcCheckBackConfig.allowing(host()).timeout(Duration.ofMinutes(2)),
            TlsChannelCredentials.newBuilder()
                .trustManager(certificate.certificate().toFile())
                .build())) {
      assertThat(ask(transport, "grpcs")).containsExactly(CheckAnswer.of(Verdict.COMMITTED));
      assertThat(ask(transport, "grpc"))
          .extracting(CheckAnswer::verdict)
          .containsExactly(Verdict.UNREACHABLE);
    }
  }

  @Test
  void certificateThatNobodyTrustsIsUnreachable() throws Exception {
    try (GrpcCheckBackTransport transport =
        GrpcCheckBackTransport.open(GrpcCheckBackConfig.allowing(host()))) {
      assertThat(ask(transport, "grpcs"))
          .extracting(CheckAnswer::verdict)
          .containsExactly(Verdict.UNREACHABLE);
    }
  }

  private String host() {
    return "127.0.0.1:" + producer.getPort();
  }

  private List<CheckAnswer> ask(GrpcCheckBackTransport transport, String scheme) throws Exception {
    return GrpcHalfScene.await(
        transport
            .ask(URI.create(scheme + "://" + host()), List.of(new HalfKey("order-paid", "1")))
            .toCompletableFuture());
  }
}
