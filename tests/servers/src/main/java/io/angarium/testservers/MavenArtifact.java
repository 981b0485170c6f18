package io.angarium.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Fetches an artifact that is too large to be a dependency of everybody, through the Maven that
 * runs the build and with the settings of its user.
 */
final class MavenArtifact {
  private static final String COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.11.0:copy";
  private static final Duration LIMIT = Duration.ofMinutes(10);

  private MavenArtifact() {}

  /** Copies the artifact ({@code group:name:version}) into the folder and returns its path. */
  static Path fetch(String artifact, Path folder) {
    Path maven =
        InstalledPrograms.program("mvn")
            .orElseThrow(() -> new ServerUnavailableException("no mvn on the path"));
    List<String> command = new ArrayList<>(List.of(maven.toString(), "-B", "-q", COPY));
    command.add("-Dartifact=" + artifact);
    command.add("-DoutputDirectory=" + folder);
    // Set by Surefire: the repository of the build, which need not be the user's usual one.
    String repository = System.getProperty("localRepository");
    if (repository != null) {
      command.add("-Dmaven.repo.local=" + repository);
    }
    Shell.run(folder, LIMIT, command);
    return onlyJar(folder);
  }

  private static Path onlyJar(Path folder) {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".jar"))
          .findFirst()
          .orElseThrow(() -> new ServerUnavailableException("Maven put no jar into " + folder));
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot list " + folder, e);
    }
  }
}
