package io.angarium.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;

/**
 * A running PgBouncer in front of a PostgreSQL. Lets everybody in, as the server's own user. Ends
 * with this JVM at the latest, however the JVM ends. Thread-safe.
 */
public final class PgBouncer extends RunningServer {
  private final DatabaseServer postgres;
  private final Programs programs;
  private final int port;

  /** Until when a client keeps the connection to the server that it was given. */
  public enum PoolMode {
    /** Until it goes. */
    SESSION,
    /** Until its transaction ends. */
    TRANSACTION,
    /** Until its statement ends. */
    STATEMENT
  }

  private PgBouncer(DatabaseServer postgres, Programs programs, ServerProcess process, int port) {
    super(Server.PGBOUNCER, programs.origin(), process);
    this.postgres = postgres;
    this.programs = programs;
    this.port = port;
    begin();
  }

  /**
   * Starts a PgBouncer of the tests' own.
   *
   * @param settings lines for the section {@code [pgbouncer]} besides those that are needed
   * @throws ServerUnavailableException when it cannot be had here; the message says what was tried
   */
  public static PgBouncer start(DatabaseServer postgres, PoolMode mode, String... settings) {
    Programs programs =
        ProgramSource.first(Server.PGBOUNCER, sources(), Set.of(Origin.INSTALLED, Origin.PACKAGE));
    return FreePort.using(
        1,
        ports -> {
          ServerProcess process =
              ServerFolders.filling(
                  ServerFolders.createFor(Server.PGBOUNCER),
                  folder -> prepare(postgres, mode, settings, programs, folder, ports.get(0)));
          return new PgBouncer(postgres, programs, process, ports.get(0));
        });
  }

  static List<ProgramSource> sources() {
    return List.of(
        new ProgramSource(Origin.INSTALLED, PgBouncer::installed),
        new ProgramSource(Origin.PACKAGE, PgBouncer::fromPackage));
  }

  private static Programs installed() {
    Path program =
        InstalledPrograms.program("pgbouncer")
            .orElseThrow(() -> new ServerUnavailableException("no pgbouncer"));
    Path folder = Objects.requireNonNull(program.getParent());
    return Programs.of(Origin.INSTALLED, folder);
  }

  private static Programs fromPackage() {
    Path root = DistributionPackage.unpacked("pgbouncer");
    return new Programs(Origin.PACKAGE, root.resolve("usr/sbin"), DistributionPackage.loader(root));
  }

  private static ServerProcess prepare(
      DatabaseServer postgres,
      PoolMode mode,
      String[] settings,
      Programs programs,
      Path folder,
      int port) {
    Path own = folder.resolve("own");
    Path file = own.resolve("pgbouncer.ini");
    try {
      Files.createDirectory(own);
      Files.writeString(
          file,
          """
          [databases]
          * = host=%s port=%d user=%s password=%s
          [pgbouncer]
          listen_addr = 127.0.0.1
          listen_port = %d
          unix_socket_dir =
          auth_type = any
          pool_mode = %s
          ignore_startup_parameters = extra_float_digits
          server_tls_sslmode = disable
          %s
          """
              .formatted(
                  postgres.host(),
                  postgres.port(),
                  postgres.user(),
                  postgres.password(),
                  port,
                  mode.name().toLowerCase(Locale.ROOT),
                  String.join("\n", settings)));
      Unprivileged.here().give(own);
      Unprivileged.here().give(file);
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot write " + file, e);
    }
    List<String> command = new ArrayList<>(Unprivileged.here().prefix()); // it refuses root
    command.addAll(programs.command("pgbouncer", List.of(file.toString())));
    return new LocalProcess(command, folder, "TERM", "KILL");
  }

  /** Fails until it lets us in. */
  @Override
  String askVersion() throws IOException {
    try (Connection connection =
        DriverManager.getConnection(url("postgres"), postgres.user(), "")) {
      connection.createStatement().execute("SELECT 1");
    } catch (SQLException e) {
      throw new IOException(e.getMessage(), e);
    }
    String told =
        Shell.run(
            Path.of("/"),
            Duration.ofSeconds(10),
            programs.command("pgbouncer", List.of("--version")));
    return told.lines().findFirst().orElse("").replace("PgBouncer ", "");
  }

  private String url(String database) {
    return "jdbc:postgresql://%s:%d/%s?prepareThreshold=0".formatted(host(), port, database);
  }

  /**
   * A database as reached through it, with statements that are prepared for once only: those that
   * stay belong to a connection that the next transaction may not get.
   *
   * @param database on the PostgreSQL behind it
   */
  public TestDatabase to(TestDatabase database) {
    return new TestDatabase(
        Server.POSTGRESQL, database.name(), url(database.name()), database.user(), "");
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String host() {
    return "127.0.0.1";
  }
}
