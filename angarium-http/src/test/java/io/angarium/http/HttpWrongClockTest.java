package io.angarium.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.TimeSource;
import io.angarium.http.signature.HttpSignature;
import io.angarium.intake.StoredMessage;
import io.angarium.testtransports.Results;
import io.angarium.testtransports.WrongClock;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The wall clock of the relay's host is wrong, and receivers look at the time of a signature. */
class HttpWrongClockTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

  private final HookServer server = new HookServer();
  private final Results results = new Results();

  @AfterEach
  void closeServer() {
    server.close();
  }

  private HttpTransport open(Duration ahead, String secretOfTheReceiver) {
    HttpSignature signature = HttpSignature.of(List.of(secretOfTheReceiver));
    server.on(
        "/",
        exchange -> {
          boolean genuine =
              signature.verify(
                  exchange.getRequestHeaders().getFirst(HttpSignature.ID),
                  exchange.getRequestHeaders().getFirst(HttpSignature.TIMESTAMP),
                  exchange.getRequestHeaders().getFirst(HttpSignature.SIGNATURE),
                  "{}".getBytes(java.nio.charset.StandardCharsets.UTF_8),
                  TimeSource.SYSTEM.instant());
          HookServer.answer(exchange, genuine ? 204 : 401, "");
        });
    HttpHook hook = HttpHook.of("orders", server.url("/")).secrets(List.of(SECRET));
    return HttpTransport.open(HttpConfig.of(hook), new WrongClock(ahead), null);
  }

  @ParameterizedTest
  @ValueSource(ints = {-5, 5})
  void signaturesOfAHostWhoseClockIsHoursWrongAreTakenAfterOneTry(int hours) {
    try (HttpTransport transport = open(Duration.ofHours(hours), SECRET)) {
      List<StoredMessage> first =
          Stream.generate(() -> Messages.to("orders")).limit(10).toList(); // together
      transport.send(first, results);

      assertThat(results.next(10))
          .noneMatch(result -> result instanceof Refused)
          .anySatisfy(
              result ->
                  assertThat(((Unavailable) result).reason())
                      .contains("401", "its clock and that of this host differ by"));
      assertThat(Messages.result(transport, Messages.to("orders")))
          .isEqualTo(SendResult.ACKNOWLEDGED);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 5})
  void signaturesOfAnotherSecretAreRefusedWhateverTheClock(int hours) {
    try (HttpTransport transport =
        open(Duration.ofHours(hours), "whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA")) {
      SendResult result = Messages.result(transport, Messages.to("orders"));
      if (hours > 0) {
        result = Messages.result(transport, Messages.to("orders"));
      }

      assertThat(result).isInstanceOf(Refused.class);
    }
  }
}
