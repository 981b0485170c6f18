package io.angarium.jdbc.internal.dialect.mysql;

import io.angarium.intake.NewMessage;
import io.angarium.jdbc.internal.dialect.SchemaSql;
import io.angarium.jdbc.internal.dialect.SendSql;
import io.angarium.jdbc.internal.dialect.SendSql.Inserted;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/** Where MySQL and MariaDB differ; what they share is {@link MySqlFamily}. Thread-safe. */
public sealed interface MySqlVariant permits MySqlDialect, MariaDbDialect {
  /** The database's name as its makers write it. */
  String database();

  /** The folder of its schema scripts. */
  String folder();

  /** The oldest version that is supported. */
  String versionMin();

  /** That of all texts in the tables. */
  String collation();

  /** What follows a query to lock the rows of one of its tables. */
  String forUpdate(String table);

  /** What precedes a statement that is to fail rather than wait for a row; empty if nothing can. */
  String insteadOfWaiting();

  /** Settings of a session besides the settings of the family; all are numbers. */
  Map<String, String> sessionSettings();

  /** See {@link SchemaSql#server}. Proxies keep a session of its own for who asks by {@code @@}. */
  String server();

  /** Whether no transaction is open on a connection that does not commit by itself. */
  boolean isOver(Connection connection) throws SQLException;

  /** See {@link SendSql#insert}. */
  List<Inserted> insert(Connection connection, List<NewMessage> messages) throws SQLException;

  /** See {@link SendSql#insertKeyed}. */
  int insertKeyed(Connection connection, List<NewMessage> messages) throws SQLException;
}
