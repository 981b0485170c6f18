package io.angarium.testservers;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Prints at the end of a build which server versions the tests used, and which servers they could
 * not have. Exit code 1 when a server listed in {@code ANGARIUM_REQUIRE_SERVERS} was not used.
 *
 * <pre>java -cp ... io.angarium.testservers.ServerCoverageReport [folder [build]]</pre>
 *
 * <p>The folder is {@code target/server-coverage} of the outermost project unless given. With a
 * build's name only the records of that build count: the value of the system property {@code
 * angarium.build} in the JVMs of its tests, for instance Maven's {@code ${maven.build.timestamp}}.
 */
public final class ServerCoverageReport {
  private ServerCoverageReport() {}

  /**
   * Prints the report to the standard output.
   *
   * @param arguments the folder and the build, both optional
   */
  public static void main(String[] arguments) {
    Path folder = arguments.length > 0 ? Path.of(arguments[0]) : ServerCoverage.folder();
    String build = arguments.length > 1 ? arguments[1] : "";
    List<Server> missing = print(folder, build, System.out);
    if (missing.stream().anyMatch(ServerCoverage::isRequired)) {
      System.exit(1);
    }
  }

  /** Prints the report and returns the servers that no test used. */
  static List<Server> print(Path folder, String build, PrintStream out) {
    List<Properties> records = read(folder, build);
    List<Server> missing = new ArrayList<>();
    out.println("Servers used by the tests:");
    for (Server server : Server.values()) {
      List<Properties> own =
          records.stream().filter(record -> server.key().equals(text(record, "server"))).toList();
      List<String> used = used(own);
      if (used.isEmpty()) {
        missing.add(server);
      }
      String versions = used.isEmpty() ? "NOT COVERED" : String.join(", ", used);
      out.printf("  %-10s  %s%s%n", server.title(), versions, required(server, used));
      own.stream().filter(record -> !isUsed(record)).forEach(record -> explain(record, out));
    }
    return missing;
  }

  private static String required(Server server, List<String> used) {
    return used.isEmpty() && ServerCoverage.isRequired(server) ? " (but required)" : "";
  }

  private static List<String> used(List<Properties> records) {
    TreeSet<String> used = new TreeSet<>();
    records.stream()
        .filter(ServerCoverageReport::isUsed)
        .map(record -> text(record, "version") + " (" + text(record, "origin") + ")")
        .forEach(used::add);
    return List.copyOf(used);
  }

  private static boolean isUsed(Properties record) {
    return text(record, "state").equals("used");
  }

  private static void explain(Properties record, PrintStream out) {
    out.printf("    left out: %s%n", text(record, "test"));
    text(record, "reason").lines().forEach(line -> out.printf("      %s%n", line));
  }

  private static List<Properties> read(Path folder, String build) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".properties"))
          .sorted()
          .map(ServerCoverageReport::load)
          .filter(record -> build.isEmpty() || build.equals(text(record, "build")))
          .toList();
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot read " + folder, e);
    }
  }

  private static Properties load(Path file) {
    Properties record = new Properties();
    try (InputStream in = Files.newInputStream(file)) {
      record.load(in);
      return record;
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot read " + file, e);
    }
  }

  private static String text(Properties record, String name) {
    return record.getProperty(name, "");
  }
}
