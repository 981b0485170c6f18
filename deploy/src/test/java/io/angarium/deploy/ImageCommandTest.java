package io.angarium.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the command says before it makes anything. */
class ImageCommandTest {
  @TempDir private Path folder;

  private record Ended(int status, String output) {}

  private Ended run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), ImageCommand.class.getName()));
    command.add(StopTimes.ROOT.toString());
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Ended(process.waitFor(), output);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--help", "help", "-h", "--full --help"})
  void helpMakesNothing(String arguments) throws Exception {
    Ended ended = run(arguments.split(" "));

    assertThat(ended.status()).as(ended.output()).isZero();
    assertThat(ended.output()).startsWith("Usage: ./angarium image");
    assertThat(folder).isEmptyDirectory();
  }

  @ParameterizedTest
  @ValueSource(strings = {"--fulll", "full", "--output", "--output=", "--name=Server"})
  void whatIsNotUnderstoodIsNamedAndMakesNothing(String argument) throws Exception {
    Ended ended = run(argument);

    assertThat(ended.status()).as(ended.output()).isEqualTo(2);
    assertThat(ended.output()).startsWith("'" + argument + "' is no option (expected: --full, ");
    assertThat(folder).isEmptyDirectory();
  }
}
