package io.angarium.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.http.half.HttpHalfConfig;
import io.angarium.http.half.HttpHalfMessages;
import io.angarium.intake.MessageIntake;
import io.angarium.testservers.FreePort;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The one jar of the message centre, as it is copied to a machine, without any configuration. */
class MessageCentreJarTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  @TempDir Path folder;

  @Test
  void oneJarStartsAndSendsWhatIsCommitted() throws IOException {
    HalfKey key = new HalfKey("order-paid", "4711");
    try (CentreServer server = CentreServer.ofOneJar(folder, FreePort.find(), List.of());
        HttpHalfMessages half =
            HttpHalfMessages.open(
                HttpHalfConfig.of(server.address()).apiKey(CentreServer.KEY),
                MessageIntake.of("shop"))) {
      server.start().awaitRunning();

      HalfState prepared =
          half.prepare(HalfMessage.of(key, Message.of("log:orders", new byte[] {1})));
      HalfState committed = half.commit(key);

      assertThat(prepared).isEqualTo(HalfState.PREPARED);
      assertThat(committed).isEqualTo(HalfState.COMMITTED);
      Waiting.until(LIMIT, () -> server.count("Received ") == 1, () -> "It was not delivered");
    }
  }
}
