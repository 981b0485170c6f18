package io.angarium.benchmarks.arm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class ArmProgramTest {
  private static final ArmSettings ANY =
      new ArmSettings(
          DatabaseKind.POSTGRESQL,
          "url",
          "user",
          "password",
          BrokerKind.KAFKA,
          "address",
          "topic",
          Variant.DEFAULTS,
          Map.of());

  @Test
  void endsInTheMidstOfACommandWhenWhoeverMeasuresIsKilled() throws Exception {
    Process measurer = java(Measurer.class).start();
    BufferedReader said = measurer.inputReader(StandardCharsets.UTF_8);
    ProcessHandle arm = ProcessHandle.of(Long.parseLong(said.readLine())).orElseThrow();
    assertThat(said.readLine()).isEqualTo(Stuck.OPENING);

    measurer.destroyForcibly();

    assertThat(arm.onExit().get(60, TimeUnit.SECONDS)).isEqualTo(arm);
  }

  private static ProcessBuilder java(Class<?> program) {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new ProcessBuilder(
        java, "-cp", System.getProperty("java.class.path"), program.getName());
  }

  /** Starts an arm, says its process id, and never comes to an end. */
  static final class Measurer {
    public static void main(String[] arguments) throws IOException {
      Process arm = java(Stuck.class).start();
      System.out.println(arm.pid());
      Writer commands = arm.outputWriter(StandardCharsets.UTF_8);
      Line.open(ANY).writeTo(commands);
      System.out.println(arm.errorReader(StandardCharsets.UTF_8).readLine());
      arm.onExit().join();
    }
  }

  /** An arm that never gets to answer. */
  static final class Stuck {
    static final String OPENING = "opening";

    public static void main(String[] arguments) throws IOException {
      ArmProgram.run(
          settings -> {
            System.err.println(OPENING);
            new CountDownLatch(1).await();
            throw new IllegalStateException();
          });
    }
  }
}
