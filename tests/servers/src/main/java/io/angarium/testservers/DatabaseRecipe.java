package io.angarium.testservers;

import java.nio.file.Path;
import java.util.List;

/** What is particular to one kind of database server. */
sealed interface DatabaseRecipe permits PostgresRecipe, MariaDbRecipe, MySqlRecipe {
  static DatabaseRecipe of(Server server) {
    return switch (server) {
      case POSTGRESQL -> new PostgresRecipe();
      case MARIADB -> new MariaDbRecipe();
      case MYSQL -> new MySqlRecipe();
      case KAFKA, RABBITMQ, ROCKETMQ, REDIS, PGBOUNCER, CHROMIUM, PROMETHEUS ->
          throw new IllegalArgumentException(server.title() + " is not a database: use its class");
    };
  }

  /** The ways to get the programs, in the order to try. */
  List<ProgramSource> sources();

  /** Creates an empty data folder below {@code folder} and returns the process, not yet started. */
  ServerProcess prepare(
      Programs programs, ServerOptions options, Path folder, int port, Login login);

  /** The JDBC URL of a database on such a server. */
  String url(String host, int port, String database);

  /** The name of a database that every such server has. */
  String anyDatabase();

  /** The user whom {@link #prepare} lets do everything, with a password made for the occasion. */
  Login newLogin(Origin origin);
}
