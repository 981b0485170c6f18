package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.nimbusds.jose.jwk.RSAKey;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.TestCertificate;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An issuer with a certificate that a server trusts by a file, and another server does not. */
class TokenHttpsTest {
  private static final String OAUTH = "--angarium.server.oauth2.";
  private static final RSAKey KEY = Issuer.rsa("key");

  @TempDir Path folder;

  private ServerProcess server(String name, List<String> jvm, Issuer issuer) throws Exception {
    return new ServerProcess(
        Files.createDirectory(folder.resolve(name)),
        jvm,
        List.of(
            "--server.port=0",
            "--spring.datasource.url=jdbc:h2:mem:" + name,
            "--angarium.relay.enabled=false",
            OAUTH + "issuer-uri=" + issuer.uri(),
            OAUTH + "audiences=" + Issuer.AUDIENCE,
            OAUTH + "grants.orders.values=orders",
            OAUTH + "grants.orders.businesses=*",
            OAUTH + "grants.orders.destinations=*"));
  }

  private static HttpResponse<String> ask(ServerProcess server, String token) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(URI.create(server.address() + "/v1/half-messages/order/1"))
                .header("Authorization", "Bearer " + token)
                .build(),
            BodyHandlers.ofString());
  }

  /** While the machine is busy, an issuer is as good as away for it. */
  private static HttpResponse<String> askPatiently(ServerProcess server, String token)
      throws Exception {
    long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    HttpResponse<String> answer = ask(server, token);
    while (answer.body().contains("ISSUER_AWAY") && System.nanoTime() < deadline) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
      answer = ask(server, token);
    }
    return answer;
  }

  @Test
  @OnOneJdk
  void issuerIsAskedWhereItsCertificateIsTrustedOnly() throws Exception {
    TestCertificate certificate =
        TestCertificate.in(Files.createDirectory(folder.resolve("certificate")));

    try (Issuer issuer = new Issuer(certificate.context()).publish(KEY);
        ServerProcess trusting = server("trusting", certificate.trustingJvm(), issuer);
        ServerProcess other = server("other", List.of(), issuer)) {
      String token = issuer.token(KEY, "shop", "orders");
      assertThat(other.address()).as("started, and no burden any more").isNotEmpty();
      HttpResponse<String> taken = askPatiently(trusting, token);
      HttpResponse<String> forged = ask(trusting, issuer.token(Issuer.rsa("key"), "s", "orders"));
      int asked = issuer.asked();
      HttpResponse<String> unknown = ask(other, token);

      assertThat(issuer.uri()).startsWith("https://");
      assertThat(taken.statusCode()).as(taken.body()).isEqualTo(200);
      assertThat(forged.statusCode()).as(forged.body()).isEqualTo(401);
      assertThat(unknown.statusCode()).as(unknown.body()).isEqualTo(503);
      assertThat(unknown.body()).contains("ISSUER_AWAY");
      assertThat(issuer.asked()).isEqualTo(asked);
      other.awaitOutput("SSLHandshakeException");
      assertThat(other.output()).contains("cannot be fetched");
    }
  }
}
