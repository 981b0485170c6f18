package io.angarium.quickstart.demo;

import io.angarium.quickstart.demo.Arguments.DatabaseChoice;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.ServerUnavailableException;
import io.angarium.testservers.TestDatabase;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Map;
import java.util.stream.Stream;

/**
 * The database of the quickstart and how to reach it. Immutable.
 *
 * @param title product and version, for people
 * @param properties what Spring Boot needs to know
 * @param end ends it and removes its data
 */
record LocalDatabase(String title, Map<String, String> properties, End end)
    implements AutoCloseable {

  /** Ends a database. */
  interface End {
    void run() throws IOException;
  }

  /**
   * Starts a database; blocks until it answers.
   *
   * @param out where it is said when H2 takes the place of PostgreSQL
   * @throws ServerUnavailableException if PostgreSQL was demanded and cannot be had here
   */
  static LocalDatabase start(DatabaseChoice choice, PrintStream out) {
    if (choice == DatabaseChoice.H2) {
      return h2();
    }
    try {
      return postgres();
    } catch (ServerUnavailableException e) {
      if (choice == DatabaseChoice.POSTGRESQL) {
        throw e;
      }
      out.println("PostgreSQL cannot be started here, so H2 in a file takes its place:");
      out.println(e.getMessage());
      return h2();
    }
  }

  private static LocalDatabase postgres() {
    DatabaseServer server =
        DatabaseServer.start(Server.POSTGRESQL, ServerOptions.standard().ownProcess());
    TestDatabase database = server.createDatabase("quickstart");
    return new LocalDatabase(
        // Distributions add a note of their own in brackets.
        "PostgreSQL " + server.version().replaceFirst(" \\(.*", ""),
        properties(database.url(), database.user(), database.password()),
        server::close);
  }

  private static LocalDatabase h2() {
    try {
      Path folder = Files.createTempDirectory("angarium-h2-");
      return new LocalDatabase(
          "H2, embedded, in a file",
          properties(
              // Else H2 ends before the relay when the program is interrupted.
              "jdbc:h2:file:" + folder.resolve("quickstart") + ";DB_CLOSE_ON_EXIT=FALSE", "sa", ""),
          () -> delete(folder));
    } catch (IOException e) {
      throw new StartupException("No folder for H2 can be made: " + e, e);
    }
  }

  private static Map<String, String> properties(String url, String user, String password) {
    return Map.of(
        "spring.datasource.url",
        url,
        "spring.datasource.username",
        user,
        "spring.datasource.password",
        password);
  }

  private static void delete(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  @Override
  public void close() throws IOException {
    end.run();
  }
}
