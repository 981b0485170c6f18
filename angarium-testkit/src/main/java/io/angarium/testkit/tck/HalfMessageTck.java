package io.angarium.testkit.tck;

import static io.angarium.half.WhenUnknown.REMEMBER;
import static io.angarium.testkit.tck.HalfScene.KEY;
import static io.angarium.testkit.tck.HalfScene.key;
import static io.angarium.testkit.tck.HalfScene.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.MessageLimits;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.half.WhenUnknown;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What becomes of the message, and which keys there are. Part of {@link HalfMessagesTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface HalfMessageTck extends HalfFixtureTck {
  @Test
  default void messageIsSentAsItWasPrepared() {
    Message message =
        Message.of("kafka:orders", new byte[] {0, -1, 7})
            .key("4711")
            .type("order-paid")
            .header("tenant", "s\u00fcd")
            .business("order", "4711 ")
            .createdBy("shop");
    fixture().half().prepare(HalfMessage.of(KEY, message));

    fixture().half().commit(KEY);

    assertThat(fixture().sent()).singleElement().usingRecursiveComparison().isEqualTo(message);
  }

  @Test
  default void messagesOfAnySizeAreSentWhole() {
    List<byte[]> payloads = new ArrayList<>();
    for (int size : new int[] {0, 1, 20_000, MessageLimits.DEFAULTS.payloadBytesMax()}) {
      byte[] payload = new byte[size];
      new Random(size).nextBytes(payload);
      payloads.add(payload);
      HalfKey key = key("size " + size);
      fixture().half().prepare(HalfMessage.of(key, Message.of("kafka:orders", payload)));
      fixture().half().commit(key);
    }

    List<byte[]> sent = new ArrayList<>(fixture().sent().stream().map(Message::payload).toList());
    sent.sort(Comparator.comparingInt(payload -> payload.length));
    assertThat(sent).usingElementComparator(Arrays::compare).containsExactlyElementsOf(payloads);
  }

  @Test
  default void messageThatBreaksALimitIsNotStored() {
    byte[] large = new byte[MessageLimits.DEFAULTS.payloadBytesMax() + 1];

    assertThatThrownBy(
            () -> fixture().half().prepare(HalfMessage.of(KEY, Message.of("kafka:orders", large))))
        .isInstanceOf(InvalidMessageException.class);

    assertThat(fixture().half().state(KEY)).isEqualTo(HalfState.UNKNOWN);
  }

  @Test
  default void delayCountsFromTheCommit() {
    Duration delay = Duration.ofHours(1);
    fixture().half().prepare(message(KEY).delay(delay));
    Instant before = later();

    fixture().half().commit(KEY);

    assertThat(due()).isBetween(before.plus(delay), later().plus(delay));
  }

  /** What no way to a server carries must not be dropped silently. */
  @Test
  default void delayOfACommitTakesThePlaceOfThatOfThePrepareOrIsRefused() {
    Duration delay = Duration.ofHours(2);
    fixture().half().prepare(message(KEY).delay(Duration.ofHours(1)));
    Instant before = later();

    try {
      fixture().half().callAll(List.of(new HalfCall.Commit(KEY, WhenUnknown.REFUSE, delay)));
    } catch (InvalidMessageException e) {
      assertThat(fixture().half().state(KEY)).isEqualTo(HalfState.PREPARED);
      return;
    }

    assertThat(due()).isBetween(before.plus(delay), later().plus(delay));
  }

  @Test
  default void delayOfARememberedCommitCountsFromThePrepare() {
    Duration delay = Duration.ofHours(1);
    fixture().half().commit(KEY, REMEMBER);
    Instant before = later();

    fixture().half().prepare(message(KEY).delay(delay));

    assertThat(due()).isBetween(before.plus(delay), later().plus(delay));
  }

  @Test
  default void timeBeforeWhichItIsNotSentIsKept() {
    Instant due = Instant.parse("2061-07-28T12:00:00.123456Z");
    fixture()
        .half()
        .prepare(HalfMessage.of(KEY, Message.of("kafka:orders", new byte[0]).notBefore(due)));

    fixture().half().commit(KEY);

    assertThat(due()).isEqualTo(due);
  }

  @Test
  default void messageWithoutADelayIsSentAtOnce() {
    fixture().half().prepare(message(KEY));

    fixture().half().commit(KEY);

    assertThat(due()).isNull();
  }

  private @Nullable Instant due() {
    List<Message> sent = fixture().sent();
    assertThat(sent).hasSize(1);
    return sent.get(0).notBefore();
  }

  /** A time that is certainly after everything that has happened. */
  private Instant later() {
    Instant begun = fixture().now();
    Instant now;
    do {
      now = fixture().now();
    } while (now.isBefore(begun.plus(2, ChronoUnit.MILLIS))); // a store may keep no more
    return now;
  }

  @Test
  default void keysAreComparedCharacterByCharacter() {
    List<HalfKey> keys =
        List.of(
            key("Key"),
            key("key"),
            key("Key "),
            key("K\u00e9y"),
            key("\u8ba2\u5355"),
            new HalfKey("ORDER", "Key"),
            new HalfKey("orde", "rKey"));
    keys.forEach(key -> fixture().half().prepare(message(key)));

    fixture().half().commit(keys.get(0));

    assertThat(fixture().half().states(keys))
        .containsEntry(keys.get(0), HalfState.COMMITTED)
        .hasSize(keys.size());
    assertThat(keys.subList(1, keys.size()))
        .allSatisfy(key -> assertThat(fixture().half().state(key)).isEqualTo(HalfState.PREPARED));
  }

  @Test
  default void longestKeyIsKept() {
    String same = "\u8ba2".repeat(254);
    HalfKey longest = new HalfKey("\u00fc".repeat(128), same + "1");
    HalfKey other = new HalfKey("\u00fc".repeat(128), same + "2");
    fixture().half().prepare(message(longest, "a"));
    fixture().half().prepare(message(other, "b"));

    assertThat(fixture().another().commit(longest)).isEqualTo(HalfState.COMMITTED);

    assertThat(new HalfScene(fixture()).sent()).containsExactly("a");
    assertThat(fixture().half().state(other)).isEqualTo(HalfState.PREPARED);
  }
}
