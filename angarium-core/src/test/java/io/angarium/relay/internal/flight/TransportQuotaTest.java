package io.angarium.relay.internal.flight;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TransportQuotaTest {
  private static final Destination ORDERS = Destination.parse("kafka:orders");
  private static final long PATIENCE = TransportQuota.PATIENCE.toNanos();
  private static final int KIB = 1 << 10;

  private final TransportQuota share = new TransportQuota(10, 100 * KIB);

  private void add(int messages, int bytes) {
    for (int i = 0; i < messages; i++) {
      share.add(bytes);
    }
  }

  private void remove(int messages, int bytes) {
    for (int i = 0; i < messages; i++) {
      share.remove(bytes);
    }
  }

  private List<Destination> resumed() {
    List<Destination> resumed = new ArrayList<>();
    share.resume(resumed);
    return resumed;
  }

  @Test
  void isFullByItsMessages() {
    add(9, 1);
    assertThat(share.isFull()).isFalse();

    add(1, 1);

    assertThat(share.isFull()).isTrue();
  }

  @Test
  void isFullByItsBytesAndTakesOneThatHasMoreByItself() {
    assertThat(share.isFull()).isFalse();

    share.add(200 * KIB);

    assertThat(share.isFull()).isTrue();
  }

  @Test
  void letsBeReadWhatFitsInMessagesAndInBytes() {
    add(2, KIB);

    assertThat(share.free(KIB, 0)).isEqualTo(8);
    assertThat(share.free(14 * KIB, 0)).isEqualTo(7);
  }

  @Test
  void anEmptyOneLetsOneBeReadHoweverLarge() {
    assertThat(share.free(1000 * KIB, 0)).isEqualTo(1);
  }

  @Test
  void readsWaitForOneThatIsNearlyFullButNotForLong() {
    add(9, 1);

    assertThat(share.free(1, 0)).isZero();
    assertThat(share.free(1, PATIENCE - 1)).isZero();
    assertThat(share.free(1, PATIENCE)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void patienceBeginsAnewWhenThereWasRoom() {
    add(9, 1);
    assertThat(share.free(1, 0)).isZero();
    remove(5, 1);
    assertThat(share.free(1, PATIENCE)).isEqualTo(6);
    add(5, 1);

    assertThat(share.free(1, 2 * PATIENCE)).isZero();
    assertThat(share.free(1, 3 * PATIENCE - 1)).isZero();
    assertThat(share.free(1, 3 * PATIENCE)).isEqualTo(Integer.MAX_VALUE);
  }

  @Test
  void whatWasHeldBackIsReadAgainOnceHalfIsFree() {
    add(10, 1);
    share.hold(ORDERS);
    remove(4, 1);
    assertThat(resumed()).isEmpty();
    assertThat(share.holds(ORDERS)).isTrue();

    remove(1, 1);

    assertThat(resumed()).containsExactly(ORDERS);
    assertThat(share.holds(ORDERS)).isFalse();
    assertThat(resumed()).isEmpty();
  }

  @Test
  void halfOfTheBytesMustBeFreeToo() {
    add(2, 40 * KIB);
    share.hold(ORDERS);
    assertThat(resumed()).isEmpty();

    remove(1, 40 * KIB);

    assertThat(resumed()).containsExactly(ORDERS);
  }
}
