package io.angarium.tests.modulith;

import io.angarium.tests.modulith.shop.ShopApplication;
import io.angarium.tests.modulith.shop.orders.Orders;
import io.angarium.testservers.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** The modular application on a database and Kafka. Closes it. */
record RunningShop(ConfigurableApplicationContext context) implements AutoCloseable {
  static RunningShop start(TestDatabase database, String bootstrapServers, String... more) {
    List<String> arguments = new ArrayList<>(arguments(database, bootstrapServers));
    arguments.addAll(List.of(more));
    return new RunningShop(
        new SpringApplicationBuilder(ShopApplication.class).run(arguments.toArray(String[]::new)));
  }

  static List<String> arguments(TestDatabase database, String bootstrapServers) {
    return List.of(
        "--spring.datasource.url=" + database.url(),
        "--spring.datasource.username=" + database.user(),
        "--spring.datasource.password=" + database.password(),
        "--spring.kafka.bootstrap-servers=" + bootstrapServers,
        "--angarium.kafka.enabled=true");
  }

  Orders orders() {
    return context.getBean(Orders.class);
  }

  JdbcTemplate jdbc() {
    return context.getBean(JdbcTemplate.class);
  }

  TransactionTemplate transactions() {
    return new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
  }

  long rows(String table) {
    Long rows = jdbc().queryForObject("SELECT COUNT(*) FROM " + table, Long.class);
    return rows == null ? 0 : rows;
  }

  void awaitSent() {
    Waiting.until(() -> rows("outbox") == 0, "everything sent");
  }

  @Override
  public void close() {
    context.close();
  }
}
