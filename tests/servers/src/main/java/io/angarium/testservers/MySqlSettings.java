package io.angarium.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What MySQL and MariaDB have in common on their command line. */
final class MySqlSettings {
  private MySqlSettings() {}

  /** The arguments of the server for a private folder and a port. */
  static List<String> arguments(
      Path folder, int port, ServerOptions options, Map<String, String> particular) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("datadir", folder.resolve("data").toString());
    settings.put("tmpdir", folder.toString());
    settings.put("socket", folder.resolve("socket").toString());
    settings.put("pid-file", folder.resolve("pid").toString());
    settings.put("init-file", folder.resolve("init.sql").toString());
    settings.put("bind-address", "127.0.0.1");
    settings.put("port", Integer.toString(port));
    settings.putAll(everywhere(options));
    settings.putAll(particular);
    settings.putAll(options.settings());
    List<String> arguments = new ArrayList<>(asRoot());
    settings.forEach((name, value) -> arguments.add("--" + name + "=" + value));
    return arguments;
  }

  /** The settings that do not depend on the machine. */
  static Map<String, String> everywhere(ServerOptions options) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("character-set-server", "utf8mb4");
    settings.put("max-connections", "200");
    if (!options.durableOnDisk()) {
      // Written at each commit, which outlives the process; forced to the disk once a second.
      settings.put("innodb-flush-log-at-trx-commit", "2");
      settings.put("sync-binlog", "0");
    }
    return settings;
  }

  /** The two servers run as root when told so. */
  static List<String> asRoot() {
    return Unprivileged.isRoot() ? List.of("--user=root") : List.of();
  }

  /** Writes the statements that the server runs at each start, with its password in them. */
  static void writeInitFile(Path folder, List<String> statements) {
    Path file = folder.resolve("init.sql");
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.write(file, statements);
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot write " + file, e);
    }
  }

  static String createUser(Login login) {
    return "CREATE USER IF NOT EXISTS '%s'@'%%' IDENTIFIED BY '%s';"
        .formatted(login.user(), login.password());
  }

  static String grantAll(Login login) {
    return "GRANT ALL ON *.* TO '%s'@'%%' WITH GRANT OPTION;".formatted(login.user());
  }

  static ServerProcess container(
      Programs programs,
      ServerOptions options,
      Path folder,
      int port,
      String image,
      String password) {
    Map<String, String> settings = everywhere(options);
    settings.putAll(options.settings());
    List<String> arguments = new ArrayList<>();
    settings.forEach((name, value) -> arguments.add("--" + name + "=" + value));
    List<String> publish = List.of("-p", "127.0.0.1:" + port + ":3306", "-e", password);
    return new ContainerProcess(programs.home(), folder, publish, image, arguments);
  }
}
