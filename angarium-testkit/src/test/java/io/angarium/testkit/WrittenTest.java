package io.angarium.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class WrittenTest {
  @Test
  void rowWithAKeyIsNoneToBeSentAsItIs() {
    StoredMessage keyed = row(3);

    assertThatThrownBy(() -> new CommittedMessages(Set.of(), List.of(keyed)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a keyless row");
    assertThat(CommittedMessages.of(List.of(keyed), null))
        .isEqualTo(new CommittedMessages(Set.of(3), List.of()));
  }

  @Test
  void partitionOfKeylessMessagesIsNotReadForItsOrder() {
    assertThatThrownBy(() -> new CommittedMessages(Set.of(-1), List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("partition -1");
    assertThatThrownBy(
            () -> new CommittedMessages(Set.of(), List.of(), Set.of(new Position(3, 7)), null))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("a keyless row");
    assertThat(CommittedMessages.of(List.of(row(-1)), null).keyless()).hasSize(1);
  }

  private static StoredMessage row(int partition) {
    return new StoredMessage(
        new Position(partition, 7),
        new MessageId(new UUID(0, 1)),
        Message.of("kafka:orders", new byte[] {1}),
        0,
        Instant.EPOCH);
  }
}
