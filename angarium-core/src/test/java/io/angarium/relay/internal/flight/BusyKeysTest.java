package io.angarium.relay.internal.flight;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BusyKeysTest {
  private final BusyKeys keys = new BusyKeys();

  @Test
  void keyIsThereWhileSomethingOfItIsInFlight() {
    KeyState key = keys.begin(7, 1, false);

    assertThat(keys.get(7)).isSameAs(key);
    keys.end(key);
    assertThat(keys.get(7)).isNull();
    assertThat(keys.begin(7, 1, false)).as("kept").isSameAs(key);
    assertThat(keys.get(7)).isSameAs(key);
  }

  @Test
  void keyOfAParkedGroupIsNoneOfTheOutbox() {
    KeyState outbox = keys.begin(7, 1, false);
    keys.end(outbox);

    KeyState group = keys.begin(7, 1, true);

    assertThat(group).isNotSameAs(outbox);
    assertThat(keys.get(7)).isSameAs(group);
    keys.end(group);
    assertThat(keys.begin(7, 1, false).parkedGroup).isFalse();
  }

  @Test
  void droppedKeyDoesNotComeBackNorTakeItsSuccessorAlong() {
    KeyState dropped = keys.begin(7, 1, false);
    dropped.dropped = true;
    keys.end(dropped);

    KeyState next = keys.begin(7, 1, false);
    keys.end(dropped);

    assertThat(next).isNotSameAs(dropped);
    assertThat(keys.get(7)).isSameAs(next);
  }

  @Test
  void keysThatDoNotComeAgainAreForgotten() {
    KeyState busy = keys.begin(-1, 1, false);

    for (long hash = 0; hash < 10L * BusyKeys.KEPT_MAX; hash++) {
      keys.end(keys.begin(hash, 1, false));
    }

    assertThat(keys.size()).isLessThanOrEqualTo(BusyKeys.KEPT_MAX);
    assertThat(keys.get(-1)).isSameAs(busy);
    assertThat(keys.of(1)).contains(busy);
  }
}
