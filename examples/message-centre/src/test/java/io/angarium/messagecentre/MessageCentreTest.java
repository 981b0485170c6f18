package io.angarium.messagecentre;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The command as a user starts it: the order service is killed, and the books agree at the end. */
class MessageCentreTest {
  private static final long LIMIT_MINUTES = 10;

  @TempDir private Path folder;

  @Test
  void whatIsCommittedIsBookedOnceAlthoughTheOrderServiceIsKilled() throws Exception {
    End end = run("--orders=6");

    assertThat(end.output())
        .contains(
            "orders 1..6 are paid", "orders 7..9: the centre has their messages as ROLLED_BAC")
        .contains("payment of order 10 at the centre: PREPARED")
        .contains("the starter answers from the marker row", "the shop's bean \"order-refunded\"")
        .containsPattern("payment of order 10 at the centre: COMMITTED\n.*\n +it is in the ledger")
        .containsPattern("payment of order 11 at the centre: ROLLED_BACK\n")
        .containsPattern("refund of order 12 at the centre: COMMITTED\n.*\n +it is in the ledger")
        .containsPattern("refund of order 13 at the centre: ROLLED_BACK\n")
        // 6 orders, the 10th, the 12th and its refund, the 13th
        .containsPattern("committed by the order service +10\n +booked by the ledger +10\n")
        .containsPattern("repeats that the inbox dropped +[1-9]")
        .contains("RIGHT: ");
    assertThat(end.status()).as(end.output()).isZero();
    assertThat(folder).isEmptyDirectory();
  }

  @Test
  @Tag("thorough")
  void withoutCheckBacksTheComparisonFails() throws Exception {
    End end = run("--orders", "1", "--without-check-back");

    assertThat(end.output())
        .containsPattern("committed, not booked +order-paid 5, order-refunded 7\n")
        .containsPattern("still undecided at the centre +4\n")
        .contains("WRONG: ");
    assertThat(end.status()).as(end.output()).isEqualTo(1);
  }

  @Test
  void whatIsNotUnderstoodIsNamedWithWhatWasExpected() throws Exception {
    End orders = run("--orders", "none");
    End unknown = run("--fast");

    assertThat(orders.output()).contains("--orders=none (expected: 1..10000)");
    assertThat(unknown.output()).contains("--fast: not known", "--without-check-back");
    assertThat(List.of(orders.status(), unknown.status())).containsExactly(2, 2);
  }

  /** What it said, and its status. */
  private record End(int status, String output) {}

  private End run(String... options) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.addAll(List.of("-Djava.io.tmpdir=" + folder, "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(MessageCentre.class.getName());
    command.addAll(List.of(options));
    Path output = Files.createTempFile("message-centre-test-", ".txt");
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES))
          .as(() -> "an end; until now: " + read(output))
          .isTrue();
      return new End(process.exitValue(), read(output));
    } finally {
      process.destroyForcibly();
      Files.delete(output);
    }
  }

  private static String read(Path output) {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }
}
