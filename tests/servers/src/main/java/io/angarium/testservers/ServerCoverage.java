package io.angarium.testservers;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Records which servers the tests used and which they could not have, one small file each, for
 * {@link ServerCoverageReport} to read at the end of the build.
 */
final class ServerCoverage {
  private static final Set<Server> BY_NAME =
      Set.of(Server.PGBOUNCER, Server.CHROMIUM, Server.PROMETHEUS);

  private static final Set<String> WRITTEN = ConcurrentHashMap.newKeySet();

  private ServerCoverage() {}

  static void used(Server server, String version, Origin origin) {
    Properties record = record(server, "used");
    record.setProperty("version", version);
    record.setProperty("origin", origin.name());
    write(record);
  }

  static void notCovered(Server server, String test, String reason) {
    Properties record = record(server, "not covered");
    record.setProperty("test", test);
    record.setProperty("reason", reason);
    write(record);
  }

  private static Properties record(Server server, String state) {
    Properties record = new Properties();
    record.setProperty("server", server.key());
    record.setProperty("state", state);
    Settings.find("angarium.build", "ANGARIUM_BUILD")
        .ifPresent(build -> record.setProperty("build", build));
    return record;
  }

  private static void write(Properties record) {
    if (!WRITTEN.add(record.toString())) {
      return;
    }
    try {
      Path folder = Files.createDirectories(folder());
      Path file = Files.createTempFile(folder, "server-", ".part");
      try (OutputStream out = Files.newOutputStream(file)) {
        record.store(out, null);
      }
      // Readers look at finished files only.
      Files.move(file, Path.of(file.toString().replace(".part", ".properties")));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot record the use of a server: " + record, e);
    }
  }

  /** The named folder, or {@code target/server-coverage} of the outermost Maven project. */
  static Path folder() {
    return Settings.find("angarium.server.coverage", "ANGARIUM_SERVER_COVERAGE")
        .map(Path::of)
        .orElseGet(() -> outermostProject().resolve("target").resolve("server-coverage"));
  }

  private static Path outermostProject() {
    Path outermost = Path.of("").toAbsolutePath();
    int gap = 0;
    // One folder without a pom.xml may lie in between, as in tests/servers.
    for (Path folder = outermost; folder != null && gap < 2; folder = folder.getParent()) {
      if (Files.exists(folder.resolve("pom.xml"))) {
        outermost = folder;
        gap = 0;
      } else {
        gap++;
      }
    }
    return outermost;
  }

  /** Whether a server that cannot be had must fail the tests instead of leaving them out. */
  static boolean isRequired(Server server) {
    Optional<String> required =
        Settings.find("angarium.require.servers", "ANGARIUM_REQUIRE_SERVERS");
    return required.stream()
        .flatMap(list -> Arrays.stream(list.split(",")))
        .anyMatch(name -> isAll(name) ? !BY_NAME.contains(server) : Server.of(name) == server);
  }

  /**
   * Whether somebody tests without a server for now: ANGARIUM_TEST_SERVERS lists those that are
   * used. Unless it is set, all are.
   */
  static boolean isLeftOut(Server server) {
    return Settings.find("angarium.test.servers", "ANGARIUM_TEST_SERVERS")
        .map(list -> Arrays.stream(list.split(",")))
        .map(names -> names.map(Server::of).noneMatch(used -> used == server))
        .orElse(false);
  }

  /**
   * All that messages lie in or go to; a pooler in front of one, a browser and a reader of metrics
   * have to be named.
   */
  private static boolean isAll(String name) {
    return name.strip().equalsIgnoreCase("all");
  }
}
