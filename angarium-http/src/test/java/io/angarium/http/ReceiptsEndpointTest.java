package io.angarium.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.MessageId;
import io.angarium.confirmation.ReceiptIntake;
import io.angarium.http.signature.HttpSignature;
import io.angarium.testtransports.NotedReceipts;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class ReceiptsEndpointTest {
  private static final Instant NOW = Instant.parse("2026-11-25T10:00:00Z");
  private static final Set<MessageId> IDS = NotedReceipts.some(2);

  private final HttpSignature signature =
      HttpSignature.of(List.of("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));

  private static ReceiptsEndpoint endpoint(NotedReceipts noted) {
    return new ReceiptsEndpoint(new ReceiptIntake(noted));
  }

  private static byte[] body(Set<MessageId> ids) {
    return ids.stream().map(id -> id + "\n").collect(Collectors.joining()).getBytes(UTF_8);
  }

  @Test
  void notesAllThatTheBodyNames() throws InterruptedException {
    NotedReceipts noted = new NotedReceipts(0);

    assertThat(endpoint(noted).accept(body(IDS))).isEqualTo(204);
    noted.await(IDS);
  }

  @Test
  void aLineThatIsNoIdCostsTheOthersNothing() throws InterruptedException {
    NotedReceipts noted = new NotedReceipts(0);
    String body = "<html>\n" + new String(body(IDS), UTF_8);

    assertThat(endpoint(noted).accept(body.getBytes(UTF_8))).isEqualTo(204);
    noted.await(IDS);
  }

  @Test
  void hasThemSentAgainWhileTheDatabaseIsAway() throws InterruptedException {
    NotedReceipts noted = new NotedReceipts(1);
    ReceiptsEndpoint endpoint = endpoint(noted);

    assertThat(endpoint.accept(body(IDS))).isEqualTo(503);
    assertThat(endpoint.accept(body(IDS))).isEqualTo(204);
    noted.await(IDS);
  }

  @Test
  void takesOnlyWhatIsSignedForThisBody() throws InterruptedException {
    NotedReceipts noted = new NotedReceipts(0);
    ReceiptsEndpoint endpoint = endpoint(noted);
    byte[] body = body(IDS);
    Map<String, String> headers = new HashMap<>();
    headers.put(HttpSignature.ID, "7");
    headers.put(HttpSignature.TIMESTAMP, Long.toString(NOW.getEpochSecond()));
    assertThat(endpoint.acceptSigned(signature, headers::get, body, NOW)).isEqualTo(401);

    headers.put(HttpSignature.SIGNATURE, signature.sign("7", NOW, body));
    byte[] other = body(NotedReceipts.some(3));
    assertThat(endpoint.acceptSigned(signature, headers::get, other, NOW)).isEqualTo(401);
    assertThat(endpoint.acceptSigned(signature, headers::get, body, NOW.plusSeconds(301)))
        .isEqualTo(401);
    noted.await(Set.of());

    assertThat(endpoint.acceptSigned(signature, headers::get, body, NOW)).isEqualTo(204);
    noted.await(IDS);
  }
}
