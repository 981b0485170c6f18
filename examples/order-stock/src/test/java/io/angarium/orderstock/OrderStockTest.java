package io.angarium.orderstock;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.Thorough;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The command as a user starts it: everything goes wrong, and the books agree at the end. */
class OrderStockTest {
  private static final long LIMIT_MINUTES = 8;

  private static final String[] TROUBLE = {
    "--orders=60", "--fail=20", "--crash=1", "--slow=5", "--duplicates=50"
  };

  @Test
  @RequiresServer({Server.KAFKA, Server.POSTGRESQL})
  void booksAgreeWithKafkaAndPostgres() throws Exception {
    checkAgree("--broker=kafka", "--database=postgresql");
  }

  @Test
  @RequiresServer({Server.RABBITMQ, Server.MARIADB})
  void booksAgreeWithRabbitAndMariaDb() throws Exception {
    checkAgree("--broker=rabbitmq", "--database=mariadb");
  }

  @Thorough
  @Test
  @RequiresServer({Server.ROCKETMQ, Server.MARIADB})
  void booksAgreeWithRocketAndMariaDb() throws Exception {
    checkAgree("--broker", "rocketmq", "--database", "mariadb");
  }

  private static void checkAgree(String... servers) throws Exception {
    End end = run(servers, TROUBLE);

    assertThat(end.output())
        .contains("was killed", "stock service killed", "1 of 1", "RIGHT: ")
        .containsPattern("count +60 +60\n");
    assertThat(end.status()).as(end.output()).isZero();
  }

  @Thorough
  @Test
  @RequiresServer({Server.KAFKA, Server.POSTGRESQL})
  void withoutTheInboxTheCheckFails() throws Exception {
    String[] repeats = {"--orders=20", "--fail=0", "--crash=0", "--duplicates=100"};

    End end = run(repeats, "--without-inbox");

    assertThat(end.output()).contains("WRONG: ").containsPattern("booked more than once +20: 1, 2");
    assertThat(end.status()).as(end.output()).isEqualTo(1);
  }

  @Test
  void whatIsNotUnderstoodIsNamedWithWhatWasExpected() throws Exception {
    End broker = run(new String[0], "--broker=pigeon");
    End orders = run(new String[0], "--orders", "none");
    End fail = run(new String[0], "--fail=21");
    End unknown = run(new String[0], "--fast");
    End inbox = run(new String[0], "--without-inbox=false");

    assertThat(broker.output()).contains("--broker=pigeon (expected: kafka, rabbitmq, rocketmq)");
    assertThat(orders.output()).contains("--orders=none (expected: 1..100000)");
    assertThat(fail.output()).contains("--fail=21 (expected: 0..20)");
    assertThat(unknown.output()).contains("--fast: not known", "--without-inbox");
    assertThat(inbox.output()).contains("--without-inbox=false (expected: no value");
    assertThat(Stream.of(broker, orders, fail, unknown, inbox).map(End::status)).containsOnly(2);
  }

  /** What it said, and its status. */
  private record End(int status, String output) {}

  private static End run(String[] some, String... others) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m", "-cp"));
    command.add(System.getProperty("java.class.path"));
    command.add(OrderStock.class.getName());
    command.addAll(List.of(some));
    command.addAll(List.of(others));
    Path output = Files.createTempFile("order-stock-test-", ".txt");
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
