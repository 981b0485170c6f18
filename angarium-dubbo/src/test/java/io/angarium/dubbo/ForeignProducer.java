package io.angarium.dubbo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/**
 * A producer as another process, compiled from src/test/resources/trustmessage-client, which has
 * classes of its own in the packages of TrustMessage and none of ours.
 */
final class ForeignProducer {
  private static final Path SOURCES = Path.of("src/test/resources/trustmessage-client");
  private static final long SECONDS_MAX = 120;

  private final Path classes;

  private ForeignProducer(Path classes) {
    this.classes = classes;
  }

  static ForeignProducer compile(Path classes) {
    List<String> arguments =
        new ArrayList<>(List.of("-proc:none", "-d", classes.toString(), "-cp", libraries()));
    try (Stream<Path> files = Files.walk(SOURCES)) {
      files
          .filter(file -> file.toString().endsWith(".java"))
          .forEach(file -> arguments.add(file.toString()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(
            ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, arguments.toArray(String[]::new)))
        .as("the compiler's exit code")
        .isZero();
    return new ForeignProducer(classes);
  }

  /** The class path of this test without the classes of this build. */
  private static String libraries() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.endsWith(".jar") && !entry.contains("angarium"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Runs it to its end; what it was answered. */
  List<String> run(String... arguments) throws IOException, InterruptedException {
    Path output = classes.resolve("output.txt");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classes + File.pathSeparator + libraries(),
                "com.example.trustmessage.shop.Shop"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(SECONDS_MAX, TimeUnit.SECONDS)).as("has ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
    String printed = Files.readString(output);
    assertThat(process.exitValue()).as(printed).isZero();
    return printed
        .lines()
        .filter(line -> line.startsWith("> "))
        .map(line -> line.substring(2))
        .toList();
  }
}
