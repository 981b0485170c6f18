package io.angarium.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.Verdict;
import io.grpc.Server;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A producer with TLS, and a certificate that only who knows it trusts. */
final class GrpcSecureCheckBackTest {
  private static final String PASSWORD = "for-this-test";

  @TempDir private Path folder;
  private String certificate;
  private Server producer;

  @BeforeEach
  void start() throws Exception {
    KeyStore keys = keys();
    certificate = pem("CERTIFICATE", keys.getCertificate("producer").getEncoded());
    String key = pem("PRIVATE KEY", keys.getKey("producer", PASSWORD.toCharArray()).getEncoded());
    producer =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                TlsServerCredentials.create(stream(certificate), stream(key)))
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
            TlsChannelCredentials.newBuilder().trustManager(stream(certificate)).build())) {
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

  private KeyStore keys() throws Exception {
    Path file = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "producer",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "san=ip:127.0.0.1",
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    assertThat(keytool.waitFor(1, TimeUnit.MINUTES)).isTrue();
    assertThat(keytool.exitValue()).as(output).isZero();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream stored = Files.newInputStream(file)) {
      keys.load(stored, PASSWORD.toCharArray());
    }
    return keys;
  }

  private static String pem(String kind, byte[] encoded) {
    String base64 = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(encoded);
    return "-----BEGIN " + kind + "-----\n" + base64 + "\n-----END " + kind + "-----\n";
  }

  private static InputStream stream(String text) {
    return new ByteArrayInputStream(text.getBytes(UTF_8));
  }
}
