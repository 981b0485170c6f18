package io.angarium.recipes.tenants;

import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;
import org.springframework.jdbc.datasource.DelegatingDataSource;

class TenantDataSource extends DelegatingDataSource {
  TenantDataSource(DataSource pool) {
    super(pool);
  }

  @Override
  public Connection getConnection() throws SQLException {
    Connection connection = super.getConnection();
    String schema = Tenant.schema();
    if (schema != null) {
      try {
        switchTo(connection, schema);
      } catch (SQLException e) {
        connection.close();
        throw e;
      }
    }
    return connection;
  }

  private static void switchTo(Connection connection, String schema) throws SQLException {
    if (connection.getMetaData().getDatabaseProductName().equals("PostgreSQL")) {
      connection.setSchema(schema); // SET search_path
    } else {
      connection.setCatalog(schema); // MySQL, MariaDB: USE
    }
  }
}
