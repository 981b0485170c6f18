package io.angarium.board;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.relay.settings.Route;
import io.angarium.transport.SendResult;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;

/** What a relay tells its listeners of messages. */
final class CountedMessages {
  private CountedMessages() {}

  static StoredMessage to(String destination) {
    return new StoredMessage(
        new Position(-1, 1),
        new MessageId(UUID.randomUUID()),
        Message.of(destination, new byte[] {1}),
        0,
        Instant.EPOCH);
  }

  static void sent(SendCounts counts, String destination, long millis) {
    counts.attempted(to(destination), Route.PROMPT, SendResult.ACKNOWLEDGED);
    counts.sent(to(destination), Route.PROMPT, Duration.ofMillis(millis));
  }

  static void sent(SendCounts counts, String destination) {
    sent(counts, destination, 1);
  }
}
