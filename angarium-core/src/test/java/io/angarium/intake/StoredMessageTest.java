package io.angarium.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class StoredMessageTest {
  private static final Instant MADE = Instant.parse("2026-01-31T12:00:00.123Z");

  private static StoredMessage stored(UUID id, Instant createdAt) {
    Message message = Message.of(new Destination("http", "orders"), new byte[0]);
    return new StoredMessage(new Position(1, 1), new MessageId(id), message, 0, createdAt);
  }

  private static UUID timed(Instant made) {
    return new UUID((made.toEpochMilli() << 16) | 0x7000L, 0x8000_0000_0000_0000L);
  }

  @Test
  void delayedMessageWasWrittenWhenItsIdWasMade() {
    assertThat(stored(timed(MADE), MADE.plusSeconds(3_600)).writtenAt()).isEqualTo(MADE);
  }

  @Test
  void clockThatIsAheadDoesNotCount() {
    assertThat(stored(timed(MADE), MADE.minusSeconds(1)).writtenAt())
        .isEqualTo(MADE.minusSeconds(1));
  }

  @Test
  void idWithoutATimeDoesNotCount() {
    UUID random = UUID.fromString("0190a5d2-7c40-4000-8000-000000000001");

    assertThat(stored(random, MADE).writtenAt()).isEqualTo(MADE);
  }
}
