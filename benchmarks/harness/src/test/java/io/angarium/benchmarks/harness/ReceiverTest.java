package io.angarium.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.benchmarks.brokers.TopicReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ReceiverTest {
  private final Receiver receiver = new Receiver(() -> new FakeTopic(0));

  @Test
  void aSecondArrivalIsADuplicateAndNothingElse() {
    receiver.note("key", payload(1), 10);
    receiver.note("key", payload(2), 20);
    receiver.note("key", payload(1), 30);

    assertThat(receiver.arrived()).isEqualTo(2);
    assertThat(receiver.duplicates()).isEqualTo(1);
    assertThat(receiver.disorder()).isZero();
    assertThat(receiver.arrival(1)).isEqualTo(10);
  }

  @Test
  void anEarlierMessageOfAKeyAfterALaterOneIsOutOfOrder() {
    receiver.note("key", payload(2), 10);
    receiver.note("other", payload(1), 20);
    receiver.note("key", payload(0), 30);

    assertThat(receiver.disorder()).isEqualTo(1);
  }

  @Test
  void withoutAKeyThereIsNoOrder() {
    receiver.note(null, payload(2), 10);
    receiver.note(null, payload(1), 20);

    assertThat(receiver.disorder()).isZero();
  }

  @Test
  void quotesThatALibraryPutAroundThePayloadAreSkipped() {
    receiver.note(null, ('"' + "7       x" + '"').getBytes(StandardCharsets.US_ASCII), 10);

    assertThat(receiver.has(7)).isTrue();
  }

  @Test
  void numbersBeyondTheFirstArrayAreKept() {
    receiver.note(null, payload(1_000_000), 10);

    assertThat(receiver.arrival(1_000_000)).isEqualTo(10);
    assertThat(receiver.arrival(2_000_000)).isZero();
  }

  @Test
  void allOfATopicIsReceivedUpToTheEndThatWasNoted() throws Exception {
    FakeTopic topic = new FakeTopic(3);

    Receiver all = new Receiver(() -> topic).all();

    assertThat(all.arrived()).isEqualTo(3);
    assertThat(topic.closed).isTrue();
  }

  @Test
  void aTopicThatCannotBeReadIsNoEmptyTopic() {
    FakeTopic topic = new FakeTopic(-1);

    assertThatThrownBy(() -> new Receiver(() -> topic).all())
        .isInstanceOf(IllegalStateException.class)
        .hasCauseInstanceOf(IOException.class);
    assertThat(topic.closed).isTrue();
  }

  /** Messages 0, 1, ..., one at each poll; cannot be read if their number is below zero. */
  static final class FakeTopic implements TopicReader {
    private final int messages;
    private int taken;
    private boolean endNoted;
    private boolean closed;

    FakeTopic(int messages) {
      this.messages = messages;
    }

    @Override
    public void poll(Duration max, Taker taker) {
      if (taken < messages) { // the receiver polls as often as it likes before it is told to stop
        taker.take("key", payload(taken++));
      }
    }

    @Override
    public void noteEnd() throws IOException {
      endNoted = true;
      if (messages < 0) {
        throw new IOException("gone");
      }
    }

    @Override
    public boolean isAtEnd() {
      return endNoted && taken == messages;
    }

    @Override
    public void close() {
      closed = true;
    }
  }

  static byte[] payload(long number) {
    return String.format("%-16d", number).getBytes(StandardCharsets.US_ASCII);
  }
}
