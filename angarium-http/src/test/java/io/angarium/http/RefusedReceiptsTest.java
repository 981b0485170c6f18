package io.angarium.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import io.angarium.Destination;
import io.angarium.MessageId;
import io.angarium.confirmation.ReceiptIntake;
import io.angarium.confirmation.Receipts;
import io.angarium.confirmation.TransportReceipts;
import io.angarium.http.signature.HttpSignature;
import io.angarium.testtransports.NotedReceipts;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of receipts at a consumer while the producer refuses them. */
final class RefusedReceiptsTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String OLD = "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
  private static final Set<MessageId> IDS = NotedReceipts.some(3);

  private final NotedReceipts noted = new NotedReceipts(0);
  private final ReceiptsEndpoint endpoint = new ReceiptsEndpoint(new ReceiptIntake(noted));
  private final CountDownLatch refused = new CountDownLatch(2);
  private final ByteArrayOutputStream log = new ByteArrayOutputStream();
  private final PrintStream before = System.err;
  private volatile HttpSignature known = HttpSignature.of(List.of(OLD));

  @BeforeEach
  void readTheLog() {
    System.setErr(new PrintStream(log, true, UTF_8));
  }

  @AfterEach
  void leaveTheLog() {
    System.setErr(before);
  }

  private void take(HttpExchange exchange, byte[] body) throws IOException {
    int status =
        endpoint.acceptSigned(known, exchange.getRequestHeaders()::getFirst, body, Instant.now());
    HookServer.answer(exchange, status, "");
    if (status == 401) {
      refused.countDown();
    }
  }

  @Test
  void receiptsThatAreRefusedAreSentAgainUntilTheSecretIsRight() throws InterruptedException {
    try (HookServer producer = new HookServer()) {
      producer.on("/receipts", exchange -> take(exchange, last(producer).body()));
      HttpHook hook = HttpHook.of("shop", producer.url("/receipts")).secrets(List.of(SECRET));
      try (HttpTransport transport = HttpTransport.open(HttpConfig.of(hook));
          Receipts receipts =
              Receipts.start(new TransportReceipts(transport, Destination.parse("http:shop")))) {
        IDS.forEach(receipts::processed);
        assertThat(refused.await(60, TimeUnit.SECONDS)).isTrue();

        known = HttpSignature.of(List.of(SECRET));
        noted.await(IDS);
      }
    }

    assertThat(log.toString(UTF_8).lines().filter(line -> line.contains("WARN")))
        .satisfiesExactlyInAnyOrder(
            line -> assertThat(line).contains("Receipts over HTTP are refused with 401: "),
            line ->
                assertThat(line)
                    .contains("receipts cannot be sent now; it is tried again: ")
                    .contains("Receipts to http:shop: Refused[reason=hook 'shop' at http://127.0")
                    .contains("answered 401; set right its secret or credentials on both sides"));
  }

  private static HookServer.Request last(HookServer producer) {
    List<HookServer.Request> requests = producer.requests();
    return requests.get(requests.size() - 1);
  }
}
