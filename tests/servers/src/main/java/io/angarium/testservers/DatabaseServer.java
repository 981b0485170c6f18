package io.angarium.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A running PostgreSQL, MariaDB or MySQL. Ends with this JVM at the latest, however the JVM ends.
 * Thread-safe.
 */
public final class DatabaseServer extends RunningServer {
  private static final String DATA = "data";
  private static final Duration COPY_LIMIT = Duration.ofMinutes(2);
  private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,62}");

  private final JdbcAddress address;
  private final String anyDatabase;
  private final Login login;
  private final @Nullable Made made;
  private final List<String> created = new ArrayList<>();

  /** How a server was made that is a process of the tests' own. */
  private record Made(
      DatabaseRecipe recipe, Programs programs, ServerOptions options, Path folder) {}

  private DatabaseServer(
      Server server,
      Origin origin,
      ServerProcess process,
      JdbcAddress address,
      Login login,
      String anyDatabase,
      @Nullable Made made) {
    super(server, origin, process);
    this.made = made;
    this.address = address;
    this.login = login;
    this.anyDatabase = anyDatabase;
    begin();
  }

  /**
   * Starts a database server of the tests' own, or connects to the named one.
   *
   * @param server a kind of database
   * @throws ServerUnavailableException when it cannot be had here; the message says what was tried
   */
  public static DatabaseServer start(Server server) {
    return start(server, ServerOptions.standard());
  }

  /** Starts a server with options; see {@link #start(Server)}. */
  public static DatabaseServer start(Server server, ServerOptions options) {
    DatabaseRecipe recipe = DatabaseRecipe.of(server);
    if (options.origins().contains(Origin.NAMED) && server.named().isPresent()) {
      return named(server, server.named().get());
    }
    Programs programs = ProgramSource.first(server, recipe.sources(), options.origins());
    return FreePort.using(1, ports -> startOn(ports.get(0), server, recipe, programs, options));
  }

  private static DatabaseServer named(Server server, String url) {
    JdbcAddress address = JdbcAddress.parse(url);
    String variable = server.variable();
    String property = "angarium.test." + server.key();
    String user = Settings.find(property + ".user", variable + "_USER").orElse("");
    String password = Settings.find(property + ".password", variable + "_PASSWORD").orElse("");
    Login login = new Login(user, password);
    return new DatabaseServer(
        server, Origin.NAMED, new NamedProcess(server), address, login, address.database(), null);
  }

  private static DatabaseServer startOn(
      int port, Server server, DatabaseRecipe recipe, Programs programs, ServerOptions options) {
    Login login = recipe.newLogin(programs.origin());
    return startOn(port, server, recipe, programs, options, login, null);
  }

  private static DatabaseServer startOn(
      int port,
      Server server,
      DatabaseRecipe recipe,
      Programs programs,
      ServerOptions options,
      Login login,
      @Nullable Path data) {
    Path folder = ServerFolders.createFor(server);
    ServerProcess process =
        ServerFolders.filling(folder, into -> recipe.prepare(programs, options, into, port, login));
    if (data != null) {
      replaceData(folder, data, server);
    }
    JdbcAddress address = JdbcAddress.parse(recipe.url("127.0.0.1", port, recipe.anyDatabase()));
    return new DatabaseServer(
        server,
        programs.origin(),
        process,
        address,
        login,
        recipe.anyDatabase(),
        new Made(recipe, programs, options, folder));
  }

  /**
   * Starts another server that has what this one has now and gets nothing that is written later, as
   * a replica that lags behind. It takes writes: one of PostgreSQL has been a standby, and was
   * promoted. This server is stopped for the copy and started again.
   *
   * @throws IllegalStateException if this server is no process of the tests' own
   */
  public DatabaseServer promotedCopy() {
    Made here = made;
    if (here == null || origin() == Origin.CONTAINER) {
      throw new IllegalStateException(this + " has no folder (expected: options.ownProcess())");
    }
    stop();
    DatabaseServer copy;
    try {
      copy =
          FreePort.using(
              1,
              ports ->
                  startOn(
                      ports.get(0),
                      server(),
                      here.recipe(),
                      here.programs(),
                      here.options(),
                      login,
                      here.folder().resolve(DATA)));
    } finally {
      restart();
    }
    if (server() == Server.POSTGRESQL) {
      copy.execute("SELECT pg_promote()");
    }
    return copy;
  }

  private static void replaceData(Path folder, Path data, Server server) {
    Path copy = folder.resolve(DATA);
    Shell.deleteTree(copy);
    Shell.run(folder, COPY_LIMIT, List.of("cp", "-a", data.toString(), copy.toString()));
    try {
      Files.deleteIfExists(copy.resolve("auto.cnf")); // by which MySQL tells servers apart
      if (server == Server.POSTGRESQL) {
        Path signal = Files.createFile(copy.resolve("standby.signal"));
        Unprivileged.here().give(signal);
      }
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot prepare " + copy, e);
    }
  }

  /** Fails until the server lets us in. */
  @Override
  String askVersion() throws IOException {
    try (Connection connection = connect()) {
      return connection.getMetaData().getDatabaseProductVersion();
    } catch (SQLException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  /** A guest clears up after itself. */
  @Override
  void closeOthers() {
    if (origin() == Origin.NAMED) {
      created.forEach(this::drop);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection(jdbcUrl(anyDatabase), login.user(), login.password());
  }

  /** The JDBC URL of a database on this server, without user and password. */
  public String jdbcUrl(String database) {
    return address.url(database);
  }

  /** The user who may do everything. */
  public String user() {
    return login.user();
  }

  /** The password of {@link #user()}, made at random unless the server was named. */
  public String password() {
    return login.password();
  }

  /** Creates an empty database with a name that nobody has used, for one test class. */
  public TestDatabase freshDatabase() {
    return createDatabase("t_" + UUID.randomUUID().toString().replace("-", ""));
  }

  /**
   * Creates an empty database.
   *
   * @param name lower-case letters, digits and underscores, at most 63 of them, not used yet
   */
  public TestDatabase createDatabase(String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "Database name: " + name + " (expected: [a-z][a-z0-9_]*, at most 63 characters)");
    }
    execute("CREATE DATABASE " + name);
    synchronized (created) {
      created.add(name);
    }
    return database(name);
  }

  /** Deletes a database that was created here, whoever is still connected to it. */
  public void drop(TestDatabase database) {
    drop(database.name());
    synchronized (created) {
      created.remove(database.name());
    }
  }

  private void drop(String name) {
    execute("DROP DATABASE " + name + (server() == Server.POSTGRESQL ? " WITH (FORCE)" : ""));
  }

  private TestDatabase database(String name) {
    return new TestDatabase(server(), name, jdbcUrl(name), login.user(), login.password());
  }

  private void execute(String sql) {
    try (Connection connection = database(anyDatabase).connectAgain();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new IllegalStateException(server().title() + " refused: " + sql, e);
    }
  }

  @Override
  public int port() {
    return address.port();
  }

  @Override
  public String host() {
    return address.host();
  }
}
