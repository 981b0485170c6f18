package io.angarium.recipes.tenants;

import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.TestDatabase;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/**
 * One database with a schema for each tenant and one for the outbox. On MariaDB a schema is a
 * database. Immutable.
 *
 * @param database the connections' own
 * @param outbox the schema of the outbox
 * @param tenants the schemas of the tenants, each with a table {@code orders}
 */
record TenantSchemas(TestDatabase database, String outbox, List<String> tenants) {
  static TenantSchemas on(DatabaseServer server) throws SQLException {
    TestDatabase database = server.freshDatabase();
    String suffix = "_" + UUID.randomUUID().toString().substring(0, 8);
    TenantSchemas schemas =
        new TenantSchemas(
            database, "messages" + suffix, List.of("acme" + suffix, "globex" + suffix));
    schemas.create(server, schemas.outbox);
    for (String tenant : schemas.tenants) {
      schemas.create(server, tenant);
      database.execute("CREATE TABLE " + tenant + ".orders (id VARCHAR(20) PRIMARY KEY)");
    }
    return schemas;
  }

  private void create(DatabaseServer server, String schema) throws SQLException {
    if (server.server() == Server.POSTGRESQL) {
      database.execute("CREATE SCHEMA " + schema);
    } else {
      server.createDatabase(schema);
    }
  }

  long orders(String tenant) throws SQLException {
    return database.number("SELECT COUNT(*) FROM " + tenant + ".orders");
  }

  long unsent() throws SQLException {
    return database.number("SELECT COUNT(*) FROM " + outbox + ".outbox");
  }
}
