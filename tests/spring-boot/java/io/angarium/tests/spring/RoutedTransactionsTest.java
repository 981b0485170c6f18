package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.baomidou.dynamic.datasource.DynamicRoutingDataSource;
import com.baomidou.dynamic.datasource.toolkit.DynamicDataSourceContextHolder;
import io.angarium.Message;
import io.angarium.WrongSourceException;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.spring.OutboxTransactions;
import io.angarium.spring.SpringOutbox;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import jakarta.persistence.EntityManagerFactory;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.hibernate.cfg.AvailableSettings;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.engine.jdbc.connections.spi.AbstractDataSourceBasedMultiTenantConnectionProviderImpl;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A transaction that was routed to another database commits nothing that nobody relays. MySQL and
 * MariaDB write into the relayed tables from any database of their server.
 */
@OnBootFour
final class RoutedTransactionsTest {
  private static final String RELAYED = "relayed";
  private static final String OTHER = "other";

  @Test
  void dynamicDataSourceOnH2() {
    checkDynamicDataSource(Database.h2(), Database.h2());
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void dynamicDataSourceOnPostgres() {
    checkDynamicDataSource(Database.postgres(), Database.postgres());
  }

  @Test
  void databasePerTenantOfHibernateOnH2() {
    checkDatabasePerTenant(Database.h2(), Database.h2());
  }

  @Test
  @RequiresServer(Server.POSTGRESQL)
  void databasePerTenantOfHibernateOnPostgres() {
    checkDatabasePerTenant(Database.postgres(), Database.postgres());
  }

  private static void checkDynamicDataSource(Database relayed, Database other) {
    createTables(relayed, other);
    DynamicRoutingDataSource routing = new DynamicRoutingDataSource(List.of());
    routing.setPrimary(RELAYED);
    routing.addDataSource(RELAYED, relayed.dataSource());
    routing.addDataSource(OTHER, other.dataSource());
    JdbcTransactionManager manager = new JdbcTransactionManager(routing);
    manager.addListener(new OutboxTransactions());
    TransactionTemplate transactions = new TransactionTemplate(manager);
    SpringOutbox outbox = outbox(routing);
    JdbcTemplate jdbc = new JdbcTemplate(routing);

    check(
        relayed,
        other,
        (tenant, id) -> {
          DynamicDataSourceContextHolder.push(tenant);
          try {
            transactions.executeWithoutResult(
                status -> {
                  jdbc.update("INSERT INTO orders VALUES (?, 'new')", id);
                  outbox.send(Message.of("kafka:orders", new byte[] {1}));
                });
          } finally {
            DynamicDataSourceContextHolder.poll();
          }
        });
  }

  private static void checkDatabasePerTenant(Database relayed, Database other) {
    createTables(relayed, other);
    DataSource home = relayed.dataSource();
    Tenants tenants = new Tenants(Map.of(RELAYED, home, OTHER, other.dataSource()));
    EntityManagerFactory factory = tenants.factory();
    JpaTransactionManager manager = new JpaTransactionManager(factory);
    manager.setDataSource(home); // or the outbox would not find its transactions
    manager.addListener(new OutboxTransactions());
    TransactionTemplate transactions = new TransactionTemplate(manager);
    SpringOutbox outbox = outbox(home);
    JdbcTemplate jdbc = new JdbcTemplate(home);

    check(
        relayed,
        other,
        (tenant, id) -> {
          tenants.current = tenant;
          transactions.executeWithoutResult(
              status -> {
                jdbc.update("INSERT INTO orders VALUES (?, 'new')", id);
                outbox.send(Message.of("kafka:orders", new byte[] {1}));
              });
        });
    factory.close();
  }

  @FunctionalInterface
  private interface Sale {
    void place(String tenant, int id);
  }

  private static void check(Database relayed, Database other, Sale sale) {
    sale.place(RELAYED, 1);
    assertThatThrownBy(() -> sale.place(OTHER, 2)).isInstanceOf(WrongSourceException.class);

    assertThat(relayed.orders()).containsExactly(1L);
    assertThat(relayed.unsent()).isEqualTo(1);
    assertThat(other.orders()).isEmpty();
    assertThat(other.unsent()).isZero();
  }

  private static void createTables(Database... databases) {
    for (Database database : databases) {
      JdbcDatabase.open(
          database.withOrders().dataSource(), JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    }
  }

  private static SpringOutbox outbox(DataSource dataSource) {
    JdbcDatabase opened = JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS);
    return new SpringOutbox(dataSource, MessageIntake.of(null), opened.writer(), Handover.NONE);
  }

  @SuppressWarnings("serial") // nobody writes it
  private static final class Tenants
      extends AbstractDataSourceBasedMultiTenantConnectionProviderImpl<String>
      implements CurrentTenantIdentifierResolver<String> {
    private final transient Map<String, DataSource> databases;
    private String current = RELAYED;

    Tenants(Map<String, DataSource> databases) {
      this.databases = databases;
    }

    EntityManagerFactory factory() {
      LocalContainerEntityManagerFactoryBean bean = new LocalContainerEntityManagerFactoryBean();
      bean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
      bean.setManagedTypes(PersistenceManagedTypes.of(OrderRow.class.getName()));
      bean.setJpaPropertyMap(
          Map.of(
              AvailableSettings.MULTI_TENANT_CONNECTION_PROVIDER,
              this,
              AvailableSettings.MULTI_TENANT_IDENTIFIER_RESOLVER,
              this));
      bean.afterPropertiesSet();
      return Objects.requireNonNull(bean.getObject());
    }

    @Override
    public String resolveCurrentTenantIdentifier() {
      return current;
    }

    @Override
    public boolean validateExistingCurrentSessions() {
      return true;
    }

    @Override
    protected DataSource selectAnyDataSource() {
      return selectDataSource(RELAYED);
    }

    @Override
    protected DataSource selectDataSource(String tenant) {
      return Objects.requireNonNull(databases.get(tenant));
    }
  }
}
