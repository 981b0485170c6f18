package io.angarium.benchmarks.spring;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BusinessTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.springframework.boot.Banner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * A Spring Boot application on the database of an arm: the transactions of the business as Spring
 * has them. Thread-safe.
 */
public final class BusinessApplication implements AutoCloseable {
  private final ConfigurableApplicationContext context;
  private final TransactionTemplate transactions;
  private final JdbcTemplate jdbc;

  private BusinessApplication(ConfigurableApplicationContext context) {
    this.context = context;
    this.transactions = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    this.jdbc = context.getBean(JdbcTemplate.class);
  }

  /**
   * What to start.
   *
   * @param configuration the application's class
   * @param properties of the application
   * @param tables of the library, which it creates, but not anew
   * @param connections at most
   */
  public record Plan(
      Class<?> configuration,
      Map<String, Object> properties,
      List<String> tables,
      int connections) {
    /** Copies what it is given. */
    public Plan {
      properties = Map.copyOf(properties);
      tables = List.copyOf(tables);
    }
  }

  /**
   * Starts the application on empty tables.
   *
   * @param bean one more bean of the application
   */
  public static <T> BusinessApplication start(
      ArmSettings settings, Plan plan, Class<T> type, T bean) throws SQLException {
    HikariDataSource pool = settings.pool(plan.connections());
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      BusinessTable.create(connection);
      for (String table : plan.tables()) {
        statement.execute("DROP TABLE IF EXISTS " + table);
      }
    }
    return new BusinessApplication(
        new SpringApplicationBuilder(plan.configuration())
            .web(WebApplicationType.NONE)
            .bannerMode(Banner.Mode.OFF)
            .properties(Map.of("logging.level.root", "error"))
            .properties(plan.properties())
            .initializers(
                (GenericApplicationContext context) -> {
                  context.registerBean(HikariDataSource.class, () -> pool);
                  context.registerBean(type, () -> bean);
                })
            .run());
  }

  /** A bean of the application. */
  public <T> T bean(Class<T> type) {
    return context.getBean(type);
  }

  /**
   * Commits the row of the business and what else is done meanwhile in this thread.
   *
   * @param messages puts the messages into the outbox
   */
  public void transact(long businessId, Runnable messages) {
    transactions.executeWithoutResult(
        status -> {
          jdbc.execute((ConnectionCallback<Boolean>) connection -> insert(connection, businessId));
          messages.run();
        });
  }

  private static boolean insert(Connection connection, long businessId) throws SQLException {
    BusinessTable.insert(connection, businessId);
    return true;
  }

  /** Where events are published. */
  public ApplicationEventPublisher publisher() {
    return context;
  }

  /** Asks the database for a number. */
  public long number(String sql) {
    Long number = jdbc.queryForObject(sql, Long.class);
    return number == null ? 0 : number;
  }

  @Override
  public void close() {
    context.close();
  }
}
