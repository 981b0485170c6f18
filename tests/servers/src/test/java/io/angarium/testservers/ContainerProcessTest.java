package io.angarium.testservers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands given to a container engine, with a script in the place of the engine. That a real
 * engine understands them is shown only where one runs.
 */
@SuppressWarnings("NullAway.Init") // The fields are set before each test.
class ContainerProcessTest {
  private static final String ENGINE =
      """
      #!/bin/sh
      echo "$@" >> %s
      case "$1" in inspect) echo true ;; esac
      case "$*" in *forbidden*) echo "no such image" ; exit 125 ;; esac
      """;

  private Path calls;
  private Path engine;
  private Path folder;

  @BeforeEach
  void plantAnEngine(@TempDir Path temporary) throws IOException {
    calls = temporary.resolve("calls");
    engine = Files.writeString(temporary.resolve("engine"), ENGINE.formatted(calls));
    Files.setPosixFilePermissions(engine, PosixFilePermissions.fromString("rwx------"));
    folder = Files.createDirectory(temporary.resolve("angarium-x"));
  }

  @Test
  void runsOnceAndStartsTheSameContainerAgain() throws IOException {
    ContainerProcess process = process("image:1");

    process.start();
    process.kill();
    process.start();
    process.pause();
    process.resume();
    process.stop();
    process.close();

    assertThat(Files.readAllLines(calls))
        .containsExactly(
            "run --detach --name angarium-x -p 127.0.0.1:1:2 image:1 -c fsync=off",
            "inspect --format {{.State.Running}} angarium-x",
            "kill --signal KILL angarium-x",
            "start angarium-x",
            "pause angarium-x",
            "unpause angarium-x",
            "stop angarium-x",
            "rm --force --volumes angarium-x");
    assertThat(folder).doesNotExist();
  }

  @Test
  void givesRabbitMqItsSettingsAndOrders() throws IOException {
    Programs programs = Programs.of(Origin.CONTAINER, engine);
    ServerOptions options = ServerOptions.standard().setting("channel_max", "7");

    RabbitNode node = new RabbitRecipe(21_001, 21_002, 21_003).prepare(programs, options);
    node.process().start();
    Shell.run(folder, Duration.ofSeconds(10), node.control());
    node.process().close();

    String all = Files.readString(calls);
    assertThat(all)
        .contains("-p 127.0.0.1:21001:21001")
        .contains("listeners.tcp.default = 0.0.0.0:21001\n")
        .contains("channel_max = 7\n")
        .contains("rabbitmq:4-alpine sh -c printf")
        .containsPattern("exec angarium-rabbitmq-\\d+ rabbitmqctl --quiet");
  }

  @Test
  void saysWhatTheEngineSaid() {
    assertThatThrownBy(process("forbidden:1")::start)
        .isInstanceOf(ServerUnavailableException.class)
        .hasMessageContaining("no such image");
  }

  private ContainerProcess process(String image) {
    return new ContainerProcess(
        engine, folder, List.of("-p", "127.0.0.1:1:2"), image, List.of("-c", "fsync=off"));
  }
}
