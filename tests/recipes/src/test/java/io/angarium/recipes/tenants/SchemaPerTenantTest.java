package io.angarium.recipes.tenants;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.recipes.Application;
import io.angarium.recipes.Topic;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@RequiresServer({Server.POSTGRESQL, Server.MARIADB, Server.KAFKA})
class SchemaPerTenantTest {
  private static final String TOPIC = "tenant-orders";
  private int expected;

  @BeforeAll
  static void createTopic() {
    Topic.create(TOPIC);
    Topic.create(JpaShop.TOPIC);
  }

  @Test
  void ordersOfAllTenantsLeaveThroughOneOutbox() throws SQLException {
    check(SharedServers.postgres(), "postgres");
    check(SharedServers.mariaDb(), "mariadb");
  }

  private void check(DatabaseServer server, String prefix) throws SQLException {
    TenantSchemas schemas = TenantSchemas.on(server);
    String acme = schemas.tenants().get(0);
    String globex = schemas.tenants().get(1);

    try (ConfigurableApplicationContext context = start(TenantShop.class, schemas)) {
      Orders orders = context.getBean(Orders.class);
      rollBack(context, acme, () -> orders.place(prefix + " lost"));
      Tenant.run(acme, () -> orders.place(prefix + " 1"));
      Tenant.run(globex, () -> orders.place(prefix + " 1"));
      Tenant.run(acme, () -> orders.place(prefix + " 2"));
      expected += 3;

      assertThat(new Topic(TOPIC).await(expected))
          .hasSize(expected)
          .contains(prefix + " 1", prefix + " 2")
          .doesNotContain(prefix + " lost");
    }

    assertThat(schemas.orders(acme)).isEqualTo(2);
    assertThat(schemas.orders(globex)).isEqualTo(1);
    assertThat(schemas.unsent()).isZero();
  }

  @Test
  void hibernateSwitchesTheSchemaAndTheOutboxStaysInItsOwn() throws SQLException {
    TenantSchemas schemas = TenantSchemas.on(SharedServers.postgres());
    String acme = schemas.tenants().get(0);
    String globex = schemas.tenants().get(1);

    try (ConfigurableApplicationContext context = start(JpaShop.class, schemas)) {
      JpaOrders orders = context.getBean(JpaOrders.class);
      rollBack(context, acme, () -> orders.place("lost"));
      Tenant.run(acme, () -> orders.place("1"));
      Tenant.run(globex, () -> orders.place("1"));
      Tenant.run(globex, () -> orders.place("2"));

      assertThat(new Topic(JpaShop.TOPIC).await(3)).containsExactlyInAnyOrder("1", "1", "2");
    }

    assertThat(schemas.orders(acme)).isEqualTo(1);
    assertThat(schemas.orders(globex)).isEqualTo(2);
    assertThat(schemas.unsent()).isZero();
  }

  private static ConfigurableApplicationContext start(Class<?> main, TenantSchemas schemas) {
    Application application =
        Application.of(main)
            .with("shop.datasource.jdbc-url=" + schemas.database().url())
            .with("shop.datasource.username=" + schemas.database().user())
            .with("shop.datasource.password=" + schemas.database().password())
            .on(schemas.database())
            .with("angarium.jdbc.schema=" + schemas.outbox());
    return (main == TenantShop.class ? application.withoutJpa() : application).start();
  }

  private static void rollBack(
      ConfigurableApplicationContext context, String tenant, Runnable work) {
    TransactionTemplate transactions =
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    Tenant.run(
        tenant,
        () ->
            transactions.executeWithoutResult(
                status -> {
                  work.run();
                  status.setRollbackOnly();
                }));
  }
}
