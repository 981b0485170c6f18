package io.angarium.jdbc.internal.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.NewMessage;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MessageColumnTest {
  @Test
  void dueTimeIsRoundedUpToWhatDatabasesStore() {
    assertThat(dueAt("2027-03-28T00:59:59.999999001Z")).isEqualTo("2027-03-28T01:00:00Z");
    assertThat(dueAt("2027-03-28T00:59:59.000001Z")).isEqualTo("2027-03-28T00:59:59.000001Z");
  }

  private static Instant dueAt(String notBefore) {
    Message message = Message.of("fake:x", new byte[0]).notBefore(Instant.parse(notBefore));
    return MessageColumn.dueAt(new NewMessage(new MessageId(new UUID(0, 1)), 0, message));
  }
}
