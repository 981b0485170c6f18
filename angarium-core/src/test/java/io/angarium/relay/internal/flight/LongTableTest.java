package io.angarium.relay.internal.flight;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LongTableTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void behavesAsAMapUnderRandomUse(long seed) {
    Random random = new Random(seed);
    LongTable<Integer> table = new LongTable<>();
    Map<Long, Integer> map = new HashMap<>();

    for (int i = 0; i < 50_000; i++) {
      long key = random.nextInt(3) == 0 ? random.nextLong() & 0x1f0000001fL : random.nextInt(700);
      if (random.nextBoolean()) {
        assertThat(table.put(key, i)).isEqualTo(map.put(key, i));
      } else {
        assertThat(table.remove(key)).isEqualTo(map.remove(key));
      }
      assertThat(table.size()).isEqualTo(map.size());
    }

    map.forEach((key, value) -> assertThat(table.get(key)).isEqualTo(value));
    assertThat(table.values()).containsExactlyInAnyOrderElementsOf(map.values());
  }
}
