package io.angarium.relay.internal.flight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SequenceTableTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void behavesAsAMapUnderRandomUse(long seed) {
    Random random = new Random(seed);
    SequenceTable<Integer> table = new SequenceTable<>();
    Map<Long, Integer> map = new HashMap<>();

    for (int i = 0; i < 50_000; i++) {
      long key = random.nextInt(3) == 0 ? random.nextLong() & 0x800000010000001fL : near(random, i);
      if (random.nextBoolean()) {
        assertThat(table.put(key, i)).isEqualTo(map.put(key, i));
      } else {
        assertThat(table.remove(key)).isEqualTo(map.remove(key));
      }
      assertThat(table.size()).isEqualTo(map.size());
      long other = near(random, i);
      assertThat(table.get(other)).isEqualTo(map.get(other));
    }

    map.forEach((key, value) -> assertThat(table.get(key)).isEqualTo(value));
    assertThat(table.values()).containsExactlyInAnyOrderElementsOf(map.values());
  }

  private static long near(Random random, int i) {
    return i / 8 + random.nextLong(200) - 100;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 32, 33, 1_000})
  void emptiedTableIsEmpty(long step) {
    SequenceTable<Long> table = new SequenceTable<>();
    for (long key = 0; key < 100 * step; key += step) {
      table.put(key, key);
    }
    for (long key = 0; key < 100 * step; key += step) {
      assertThat(table.remove(key)).isEqualTo(key);
      assertThat(table.get(key)).isNull();
    }

    assertThat(table.size()).isZero();
    assertThat(table.values()).isEmpty();
  }
}
