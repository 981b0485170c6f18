package io.angarium.recipes.tenants;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.engine.jdbc.connections.spi.AbstractDataSourceBasedMultiTenantConnectionProviderImpl;
import org.springframework.boot.hibernate.autoconfigure.HibernatePropertiesCustomizer;
import org.springframework.stereotype.Component;

@Component
@SuppressWarnings("serial") // nobody writes it
class TenantConnections extends AbstractDataSourceBasedMultiTenantConnectionProviderImpl<String>
    implements CurrentTenantIdentifierResolver<String>, HibernatePropertiesCustomizer {
  private static final String NO_TENANT = "public";

  private final DataSource dataSource;

  TenantConnections(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  @Override
  public void customize(Map<String, Object> properties) {
    properties.put(AvailableSettings.MULTI_TENANT_CONNECTION_PROVIDER, this);
    properties.put(AvailableSettings.MULTI_TENANT_IDENTIFIER_RESOLVER, this);
  }

  @Override
  public String resolveCurrentTenantIdentifier() {
    return Objects.requireNonNullElse(Tenant.schema(), NO_TENANT);
  }

  @Override
  public Connection getConnection(String tenant) throws SQLException {
    Connection connection = dataSource.getConnection();
    try {
      connection.setSchema(tenant);
      return connection;
    } catch (SQLException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  protected DataSource selectAnyDataSource() {
    return dataSource;
  }

  @Override
  protected DataSource selectDataSource(String tenant) {
    return dataSource;
  }

  @Override
  public boolean validateExistingCurrentSessions() {
    return true;
  }
}
