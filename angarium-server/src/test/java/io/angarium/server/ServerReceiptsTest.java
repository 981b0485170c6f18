package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.Outbox;
import io.angarium.confirmation.Confirmations;
import io.angarium.confirmation.TransportReceipts;
import io.angarium.http.HttpConfig;
import io.angarium.http.HttpHook;
import io.angarium.http.HttpTransport;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Receipts for messages of the server, which consumers send to a path of it. */
class ServerReceiptsTest {
  private static final String PATH = "/angarium/receipts";
  private static final String ENDPOINT = "angarium.confirmation.receipts-endpoint.";
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final long LIMIT_SECONDS = 60;

  private static ServerUnderTest guarded() {
    return ServerUnderTest.open(
        ENDPOINT + "enabled=true",
        ENDPOINT + "secrets=" + SECRET,
        "angarium.confirmation.destinations=log:orders",
        "angarium.server.api-keys.stock.hashes=" + ServerUnderTest.HASH,
        "angarium.server.api-keys.stock.businesses=none",
        "angarium.server.api-keys.stock.steps=read");
  }

  private static MessageId sent(ServerUnderTest server) {
    Message order = Message.of("log:orders", "order".getBytes(UTF_8));
    MessageId id =
        new TransactionTemplate(server.bean(PlatformTransactionManager.class))
            .execute(status -> server.bean(Outbox.class).send(order));
    assertThat(id).isNotNull();
    awaitUnconfirmed(server, 1);
    return id;
  }

  private static void awaitUnconfirmed(ServerUnderTest server, int count) {
    Confirmations confirmations = server.bean(Confirmations.class);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (confirmations.unconfirmed() != count && System.nanoTime() < deadline) {
      LockSupport.parkNanos(10_000_000);
    }
    assertThat(confirmations.unconfirmed()).isEqualTo(count);
  }

  /** As a consumer that reports by a web hook does. */
  private static void report(ServerUnderTest server, Map<String, String> headers, MessageId id)
      throws Exception {
    HttpHook hook =
        HttpHook.of("centre", server.address() + PATH).secrets(List.of(SECRET)).headers(headers);
    try (HttpTransport transport = HttpTransport.open(HttpConfig.of(hook))) {
      new TransportReceipts(transport, Destination.parse("http:centre")).send(List.of(id));
    }
  }

  /** The signature does not stand for a key, nor a key for the signature. */
  @Test
  void receiptsNeedAnApiKeyAndTheSignature() throws Exception {
    try (ServerUnderTest server = guarded()) {
      MessageId id = sent(server);
      Map<String, String> known = Map.of("Authorization", "Bearer " + ServerUnderTest.KEY);

      assertThatThrownBy(() -> report(server, Map.of(), id))
          .hasMessageContaining("answered 401")
          .hasMessageContaining("UNAUTHENTICATED");
      HttpResponse<String> unsigned =
          server.send(
              server
                  .request(PATH)
                  .header("Authorization", "Bearer " + ServerUnderTest.KEY)
                  .POST(BodyPublishers.ofString(id.toString())));
      assertThat(unsigned.statusCode()).isEqualTo(401);
      assertThat(unsigned.body()).isEmpty();
      assertThat(server.bean(Confirmations.class).unconfirmed()).isEqualTo(1);

      assertThatCode(() -> report(server, known, id)).doesNotThrowAnyException();
      awaitUnconfirmed(server, 0);
    }
  }

  @Test
  void withoutApiKeysReceiptsComeFromThisMachineOnly() throws Exception {
    try (ServerUnderTest server =
        ServerUnderTest.open(
            ENDPOINT + "enabled=true",
            ENDPOINT + "secrets=" + SECRET,
            "angarium.confirmation.destinations=log:orders")) {
      MessageId id = sent(server);

      assertThatThrownBy(() -> report(server, Map.of("X-Forwarded-For", "10.0.0.7"), id))
          .hasMessageContaining("answered 403")
          .hasMessageContaining("only programs of this machine");

      report(server, Map.of(), id);
      awaitUnconfirmed(server, 0);
    }
  }
}
