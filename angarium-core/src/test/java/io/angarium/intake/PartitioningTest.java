package io.angarium.intake;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PartitioningTest {
  /** These values are stored in databases: a change would break the order of keys. */
  @Test
  void keyHashesNeverChange() {
    assertThat(Partitioning.keyHash(Destination.parse("kafka:orders"), "4711"))
        .isEqualTo(KEY_HASH_4711);
    assertThat(Partitioning.keyHash(Destination.parse("orders"), "驿")).isEqualTo(KEY_HASH_UNICODE);
  }

  private static final long KEY_HASH_4711 = 4818390136018950738L;
  private static final long KEY_HASH_UNICODE = -2082696901902673539L;

  @Test
  void destinationAndKeyAreNotConfused() {
    assertThat(Partitioning.keyHash(Destination.parse("ab"), "c"))
        .isNotEqualTo(Partitioning.keyHash(Destination.parse("a"), "bc"));
  }

  @Test
  void keysSpreadEvenly() {
    int[] counts = new int[64];

    for (int i = 0; i < 64_000; i++) {
      long hash = Partitioning.keyHash(Destination.parse("orders"), "order-" + i);
      counts[Partitioning.DEFAULTS.ofKeyHash(hash)]++;
    }

    assertThat(IntStream.of(counts).boxed())
        .allSatisfy(count -> assertThat(count).isBetween(800, 1_200));
  }

  @Test
  void allPartitionsAreListedOnce() {
    assertThat(new Partitioning(3, 2).all()).containsExactly(-2, -1, 0, 1, 2);
  }
}
