package io.angarium.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/** MySQL itself: many a {@code mysqld} is a MariaDB, and is not taken. */
final class MySqlRecipe implements DatabaseRecipe {
  private static final int OLDEST = 8_000;
  private static final Pattern VERSION =
      Pattern.compile("Ver (\\d+)\\.(\\d+)\\.\\d+(?!\\S*MariaDB)");
  private static final Path CONFINEMENT = Path.of("/etc/apparmor.d/usr.sbin.mysqld");
  private static final String IMAGE = "mysql:8.4";

  @Override
  public List<ProgramSource> sources() {
    return List.of(
        new ProgramSource(Origin.INSTALLED, MySqlRecipe::installed),
        new ProgramSource(Origin.PACKAGE, MySqlRecipe::fromPackage),
        new ProgramSource(Origin.CONTAINER, ContainerEngine::find));
  }

  private static Programs installed() {
    Path program = installedProgram();
    Path bin = Objects.requireNonNullElse(program.getParent(), program);
    return Programs.of(Origin.INSTALLED, Objects.requireNonNullElse(bin.getParent(), bin));
  }

  private static Path installedProgram() {
    return InstalledPrograms.program("mysqld")
        .filter(program -> InstalledPrograms.version(program, VERSION) >= OLDEST)
        .orElseThrow(() -> new ServerUnavailableException("no mysqld that is MySQL 8.0 or newer"));
  }

  private static Programs fromPackage() {
    Path root = DistributionPackage.unpacked("mysql-server-core");
    Path usr = root.resolve("usr");
    return new Programs(
        Origin.PACKAGE, usr, DistributionPackage.loader(root, "usr/lib/mysql/private"));
  }

  @Override
  public ServerProcess prepare(
      Programs programs, ServerOptions options, Path folder, int port, Login login) {
    if (programs.origin() == Origin.CONTAINER) {
      return MySqlSettings.container(
          programs, options, folder, port, IMAGE, "MYSQL_ROOT_PASSWORD=" + login.password());
    }
    initialise(programs, folder);
    MySqlSettings.writeInitFile(
        folder,
        List.of(
            MySqlSettings.createUser(login),
            MySqlSettings.grantAll(login),
            "ALTER USER 'root'@'localhost' IDENTIFIED BY '%s';".formatted(login.password())));
    List<String> command = command(programs);
    command.addAll(MySqlSettings.arguments(folder, port, options, particular(options)));
    return new LocalProcess(command, folder, "TERM", "KILL");
  }

  private static Map<String, String> particular(ServerOptions options) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("mysqlx", "OFF");
    settings.put("secure-file-priv", "NULL");
    if (!options.durableOnDisk() && !options.settings().containsKey("log-bin")) {
      settings.put("disable-log-bin", "ON");
    }
    return settings;
  }

  private static void initialise(Programs programs, Path folder) {
    List<String> command = command(programs);
    command.add("--initialize-insecure");
    command.add("--datadir=" + folder.resolve("data"));
    command.add("--tmpdir=" + folder);
    command.add("--secure-file-priv=NULL");
    command.addAll(MySqlSettings.asRoot());
    Shell.run(folder, Duration.ofMinutes(2), command);
  }

  private static List<String> command(Programs programs) {
    String program =
        programs.origin() == Origin.INSTALLED
            ? unconfined(installedProgram(), CONFINEMENT).toString()
            : "sbin/mysqld";
    List<String> command = new ArrayList<>(programs.command(program, List.of("--no-defaults")));
    command.add("--basedir=" + programs.home());
    return command;
  }

  /** AppArmor lets the installed program write to its usual folders only; a copy goes free. */
  static Path unconfined(Path program, Path confinement) {
    if (!Files.exists(confinement)) {
      return program;
    }
    String name = "mysqld-installed-" + InstalledPrograms.version(program, VERSION);
    Path folder =
        ServerFolders.cached(
            name,
            work -> {
              try {
                Files.copy(program, work.resolve("mysqld"), StandardCopyOption.COPY_ATTRIBUTES);
              } catch (IOException e) {
                throw new ServerUnavailableException("Cannot copy " + program, e);
              }
            });
    return folder.resolve("mysqld");
  }

  @Override
  public String url(String host, int port, String database) {
    return "jdbc:mysql://"
        + host
        + ":"
        + port
        + "/"
        + database
        + "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
  }

  @Override
  public String anyDatabase() {
    return "mysql";
  }

  @Override
  public Login newLogin(Origin origin) {
    return Login.withRandomPassword(origin == Origin.CONTAINER ? "root" : "angarium");
  }
}
