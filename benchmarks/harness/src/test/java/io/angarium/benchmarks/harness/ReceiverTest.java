package io.angarium.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ReceiverTest {
  private final Receiver receiver = new Receiver("nowhere", "topic", 1);

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

  static byte[] payload(long number) {
    return String.format("%-16d", number).getBytes(StandardCharsets.US_ASCII);
  }
}
