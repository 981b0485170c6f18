package io.angarium.intake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.MessageLimits;
import io.angarium.TimeSource;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MessageIntakeTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05.678Z");

  private final Random random = new Random(1);
  private final MessageIntake intake = intake(new MessageLimits(100, 10, 50));

  private MessageIntake intake(MessageLimits limits) {
    TimeSource time =
        new TimeSource() {
          @Override
          public Instant instant() {
            return NOW;
          }

          @Override
          public long nanoTime() {
            return 0;
          }
        };
    return new MessageIntake(
        limits,
        Partitioning.DEFAULTS,
        "shop",
        List.of(message -> message.header("trace", "t1")),
        time,
        random::nextLong);
  }

  private NewMessage accept(Message message) {
    return intake.accept(message, Handover.NONE);
  }

  @Test
  void textThatNotEveryDatabaseStoresIsRefusedBeforeTheCommit() {
    Message plain = Message.of("orders", new byte[0]);
    for (Message broken :
        List.of(
            plain.key("a\0b"),
            plain.type("t\0"),
            plain.createdBy("\0"),
            plain.header("h", "\0"),
            plain.business("order\0", "1"),
            plain.business("order", "\0"))) {
      assertThatThrownBy(() -> accept(broken))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining("U+0000");
    }
  }

  @Test
  void halfACharacterIsRefusedInsteadOfReplaced() {
    Message plain = Message.of("orders", new byte[0]);
    for (Message broken :
        List.of(
            Message.of("orders\uD83D", new byte[0]),
            plain.key("\uD83D"),
            plain.type("t\uDE00"),
            plain.createdBy("\uD83D"),
            plain.header("h", "\uDE00"),
            plain.header("h\uD83D", "v"),
            plain.business("order\uD83D", "1"),
            plain.business("order", "\uDE00\uD83D"))) {
      assertThatThrownBy(() -> accept(broken))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining("half a surrogate pair");
    }

    assertThat(accept(plain.key("\uD83D\uDE00")).message().key()).isEqualTo("\uD83D\uDE00");
  }

  @Test
  void timeThatNotEveryDatabaseStoresIsRefusedBeforeTheCommit() {
    for (Instant time : List.of(Instant.MAX, Instant.MIN)) {
      assertThatThrownBy(() -> accept(Message.of("orders", new byte[0]).notBefore(time)))
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining(time.toString());
    }
  }

  @Test
  void everyMessageGetsItsOwnTimeOrderedId() {
    Set<MessageId> ids = new HashSet<>();
    for (int i = 0; i < 10_000; i++) {
      ids.add(accept(Message.of("orders", new byte[0])).id());
    }

    assertThat(ids).hasSize(10_000);
    assertThat(ids)
        .allSatisfy(
            id -> {
              assertThat(id.value().version()).isEqualTo(7);
              assertThat(id.value().variant()).isEqualTo(2);
              assertThat(id.value().getMostSignificantBits() >>> 16).isEqualTo(NOW.toEpochMilli());
              assertThat(MessageId.parse(id.toString())).isEqualTo(id);
            });
  }

  @Test
  void decoratorsAndTheCreatorAreApplied() {
    Message taken = accept(Message.of("orders", new byte[0])).message();

    assertThat(taken.headers().get("trace")).isEqualTo("t1");
    assertThat(taken.createdBy()).isEqualTo("shop");
  }

  @Test
  void aKeyAlwaysGivesTheSamePartition() {
    int partition = accept(Message.of("orders", new byte[0]).key("42")).partition();

    assertThat(partition).isBetween(0, 63);
    assertThat(accept(Message.of("orders", new byte[9]).key("42")).partition())
        .isEqualTo(partition);
    assertThat(accept(Message.of("orders", new byte[0])).partition()).isBetween(-16, -1);
  }

  @Test
  void tooLargePartsAreRefusedWithTheirSizeAndTheLimit() {
    assertThatThrownBy(() -> accept(Message.of("orders", new byte[101])))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("101 bytes (expected: at most 100)");
    assertThatThrownBy(() -> accept(Message.of("orders", new byte[0]).key("驿驿驿驿")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("12 bytes (expected: at most 10)");
    assertThatThrownBy(() -> accept(Message.of("orders", new byte[0]).header("h", "x".repeat(50))))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("headers");
    assertThatThrownBy(() -> accept(Message.of("orders", new byte[0]).type("x".repeat(256))))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("type");
  }

  @Test
  void reservedHeadersAreRefused() {
    assertThatThrownBy(() -> accept(Message.of("orders", new byte[0]).header("angarium-id", "1")))
        .isInstanceOf(InvalidMessageException.class)
        .hasMessageContaining("reserved");
  }

  @Test
  void wrongLimitsAreListedTogether() {
    assertThatThrownBy(() -> new MessageLimits(0, 513, -1))
        .isInstanceOfSatisfying(
            ConfigurationException.class, e -> assertThat(e.faults()).hasSize(3));
  }
}
