package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.SpringApplicationAotProcessor;

/**
 * An application with the starter is processed ahead of time as Spring Boot's build plugins do it,
 * and starts on a JVM from what was generated. No native image is built.
 */
class AheadOfTimeTest {
  private static final String CLASS_PATH = System.getProperty("java.class.path");
  private static final List<String> ARGUMENTS =
      List.of(
          "--spring.datasource.url=jdbc:h2:mem:aot",
          "--angarium.inbox.enabled=true",
          "--angarium.inbox.schema-mode=create",
          "--" + Shop.WITHOUT_JPA);

  /** As a glob on Spring Boot 4, as a regular expression on Spring Boot 3; both in JSON. */
  private static final String SCRIPTS = "\"(\\\\\\\\Q)?angarium\\\\?/";

  @TempDir private Path folder;

  @Test
  void aProcessedApplicationRelaysAMessage() throws Exception {
    Path sources = made("sources");
    Path resources = made("resources");
    Path classes = made("classes");

    run(
        List.of("-cp", CLASS_PATH, SpringApplicationAotProcessor.class.getName()),
        List.of(
            AotApplication.class.getName(),
            sources.toString(),
            resources.toString(),
            classes.toString(),
            "io.angarium",
            "aot-test"));
    compile(sources, classes);
    String output =
        run(
            List.of(
                "-Dspring.aot.enabled=true",
                "-cp",
                String.join(
                    File.pathSeparator, classes.toString(), resources.toString(), CLASS_PATH),
                AotApplication.class.getName()),
            List.of());

    assertThat(output).contains(AotApplication.RELAYED + "42, generated: true");
    assertThat(hints(resources)).containsPattern(SCRIPTS);
  }

  private Path made(String name) throws IOException {
    return Files.createDirectory(folder.resolve(name));
  }

  /** Runs a JVM to its end and returns what it printed. */
  private String run(List<String> program, List<String> processing) throws Exception {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-Xmx512m");
    command.add("-XX:TieredStopAtLevel=1");
    command.addAll(program);
    command.addAll(processing);
    command.addAll(ARGUMENTS);
    Path log = folder.resolve("output-" + program.size() + ".txt");
    Process process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("ends in time").isTrue();
    } finally {
      process.destroyForcibly();
    }
    String output = Files.readString(log);
    assertThat(process.exitValue()).as(output).isZero();
    return output;
  }

  private static void compile(Path sources, Path classes) throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of("-d", classes.toString(), "-cp", classes + File.pathSeparator + CLASS_PATH));
    arguments.add("-proc:none");
    try (Stream<Path> all = Files.walk(sources)) {
      all.map(Path::toString).filter(name -> name.endsWith(".java")).forEach(arguments::add);
    }
    int result =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(result).as("generated sources compile").isZero();
  }

  private static String hints(Path resources) throws IOException {
    try (Stream<Path> all = Files.walk(resources)) {
      Path file =
          all.filter(
                  path ->
                      path.endsWith("reachability-metadata.json")
                          || path.endsWith("resource-config.json"))
              .findFirst()
              .orElseThrow();
      return Files.readString(file);
    }
  }
}
