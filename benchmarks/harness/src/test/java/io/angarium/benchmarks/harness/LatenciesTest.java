package io.angarium.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.benchmarks.arm.Times;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LatenciesTest {
  private final Receiver receiver = new Receiver(() -> new ReceiverTest.FakeTopic(0));

  @Test
  void whatWasCommittedAndDidNotArriveIsLost(@TempDir Path folder) throws IOException {
    Times times = Times.open(folder.resolve("times"), 10);
    times.set(1, 1_000_000);
    times.set(2, 1_000_000);
    receiver.note("key", payload(1), 3_000_000);

    Latencies latencies = Latencies.of(times, receiver, 0, 5);

    assertThat(latencies.lost()).isEqualTo(1);
    assertThat(latencies.ghosts()).isZero();
    assertThat(latencies.millis(50)).isEqualTo(2);
  }

  @Test
  void whatArrivedAndWasNotCommittedIsAGhost(@TempDir Path folder) throws IOException {
    Times times = Times.open(folder.resolve("times"), 10);
    receiver.note("key", payload(4), 3_000_000);

    assertThat(Latencies.of(times, receiver, 0, 5).ghosts()).isEqualTo(1);
  }

  @Test
  void percentilesAreTakenByRank(@TempDir Path folder) throws IOException {
    Times times = Times.open(folder.resolve("times"), 200);
    for (int n = 1; n <= 100; n++) {
      times.set(n, 1);
      receiver.note("key", payload(n), 1 + n * 1_000_000L);
    }

    Latencies latencies = Latencies.of(times, receiver, 0, 200);

    assertThat(latencies.millis(50)).isEqualTo(50);
    assertThat(latencies.millis(99)).isEqualTo(99);
    assertThat(latencies.millis(100)).isEqualTo(100);
  }

  @Test
  void nothingArrivedHasNoPercentile(@TempDir Path folder) throws IOException {
    Times times = Times.open(folder.resolve("times"), 10);
    assertThat(Latencies.of(times, receiver, 0, 5).millis(50)).isNaN();
  }

  private static byte[] payload(long number) {
    return ReceiverTest.payload(number);
  }
}
