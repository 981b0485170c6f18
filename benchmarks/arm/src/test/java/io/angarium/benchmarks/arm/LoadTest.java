package io.angarium.benchmarks.arm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class LoadTest {
  @ParameterizedTest
  @CsvSource({
    "300000, 200, 1000",
    "300, 200, 300",
    "0, 200, 1",
    "30000, 10000, 375",
    "3000, 100000, 30",
    "300, 1000000, 3",
    "7, 5000000, 1"
  })
  void aFillCommitsEveryMessageInTransactionsOfOneSize(
      long messages, int payloadBytes, int perTransaction) {
    Load fill = Load.fill(new Workload.Shape(10, payloadBytes, 0), 0, messages);

    assertThat(fill.perTransaction()).isEqualTo(perTransaction);
    assertThat(fill.transactions() * fill.perTransaction()).isEqualTo(messages);
  }

  @Test
  void aFillThatWouldLeaveMessagesOutIsRefused() {
    assertThatThrownBy(() -> Load.fill(new Workload.Shape(10, 200, 0), 0, 100, 30))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("perTransaction: 30");
  }
}
