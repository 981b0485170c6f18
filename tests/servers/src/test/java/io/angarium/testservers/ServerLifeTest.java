package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers end with the JVM that started them, and JVMs do not get in each other's way. */
@RequiresServer({Server.POSTGRESQL, Server.MARIADB, Server.KAFKA})
class ServerLifeTest {
  /** Starts servers, says which processes there are now, and waits for the end of its input. */
  static final class Holder {
    private Holder() {}

    public static void main(String[] arguments) throws Exception {
      SharedServers.postgres().freshDatabase();
      SharedServers.mariaDb().freshDatabase();
      SharedServers.kafka();
      sayProcessesAndWait();
    }

    static void sayProcessesAndWait() throws IOException {
      System.out.println(
          "processes "
              + ProcessHandle.current()
                  .descendants()
                  .map(process -> Long.toString(process.pid()))
                  .collect(Collectors.joining(" ")));
      System.in.read();
    }
  }

  /** Does the same with RabbitMQ. */
  static final class RabbitHolder {
    private RabbitHolder() {}

    public static void main(String[] arguments) throws Exception {
      SharedServers.rabbit();
      Holder.sayProcessesAndWait();
    }
  }

  /** Does the same with RocketMQ. */
  static final class RocketHolder {
    private RocketHolder() {}

    public static void main(String[] arguments) throws Exception {
      SharedServers.rocket();
      Holder.sayProcessesAndWait();
    }
  }

  /** Starts PostgreSQL out of an empty cache. */
  static final class Beginner {
    private Beginner() {}

    public static void main(String[] arguments) {
      ServerOptions options = ServerOptions.standard().from(Origin.MAVEN);
      try (DatabaseServer server = DatabaseServer.start(Server.POSTGRESQL, options)) {
        System.out.println("version " + server.version());
      }
    }
  }

  @Test
  void serversDieWithTheJvmThatWasKilled(@TempDir Path temporary) {
    List<Long> processes;
    try (ChildJvm holder = ChildJvm.start(Holder.class, inside(temporary))) {
      processes = numbers(holder.await("processes "));
      assertThat(processes).hasSizeGreaterThan(6).allMatch(ServerLifeTest::isAlive);

      holder.kill();
    }

    assertThat(processes).allMatch(LocalProcess::isDead);
    assertThat(temporary).isEmptyDirectory();
  }

  @Thorough
  @Test
  @RequiresServer(Server.RABBITMQ)
  void rabbitAndWhatItNeedsDieWithTheJvmThatWasKilled(@TempDir Path temporary) {
    allDieWithTheJvmThatWasKilled(RabbitHolder.class, temporary);
  }

  @Thorough
  @Test
  @RequiresServer(Server.ROCKETMQ)
  void rocketAndWhatItNeedsDieWithTheJvmThatWasKilled(@TempDir Path temporary) {
    allDieWithTheJvmThatWasKilled(RocketHolder.class, temporary);
  }

  private static void allDieWithTheJvmThatWasKilled(Class<?> holding, Path temporary) {
    List<Long> processes;
    try (ChildJvm holder = ChildJvm.start(holding, inside(temporary))) {
      processes = numbers(holder.await("processes "));
      // The server, what it needs, and a watchdog for each.
      assertThat(processes).hasSizeGreaterThan(3).allMatch(ServerLifeTest::isAlive);

      holder.kill();
    }

    assertThat(processes).allMatch(LocalProcess::isDead);
    assertThat(temporary).isEmptyDirectory();
  }

  @Thorough
  @Test
  void serversEndWithTheJvmThatEnds(@TempDir Path temporary) throws InterruptedException {
    List<Long> processes;
    try (ChildJvm holder = ChildJvm.start(Holder.class, inside(temporary))) {
      processes = numbers(holder.await("processes "));

      holder.endInput();

      assertThat(holder.exitCode()).isZero();
    }
    assertThat(processes).allMatch(LocalProcess::isDead);
    assertThat(temporary).isEmptyDirectory();
  }

  @Thorough
  @Test
  void twoJvmsFillTheCacheTogether(@TempDir Path cache) throws Exception {
    Map<String, String> environment = Map.of("ANGARIUM_TEST_CACHE", cache.toString());
    try (ChildJvm first = ChildJvm.start(Beginner.class, environment);
        ChildJvm second = ChildJvm.start(Beginner.class, environment)) {
      assertThat(first.await("version ")).startsWith("18.");
      assertThat(second.await("version ")).startsWith("18.");
      assertThat(first.exitCode()).isZero();
      assertThat(second.exitCode()).isZero();
    }

    try (var folders = Files.list(cache)) {
      assertThat(folders.filter(Files::isDirectory)).hasSize(1);
    }
  }

  private static Map<String, String> inside(Path temporary) {
    return Map.of("JAVA_TOOL_OPTIONS", "-Djava.io.tmpdir=" + temporary);
  }

  private static List<Long> numbers(String line) {
    return Arrays.stream(line.split(" ")).map(Long::valueOf).toList();
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }
}
