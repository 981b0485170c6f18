package io.angarium.benchmarks.spring;

import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BusinessDatabase;
import io.angarium.benchmarks.arm.BusinessTable;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import javax.sql.DataSource;
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
  private final BusinessDatabase database;
  private final ConfigurableApplicationContext context;
  private final TransactionTemplate transactions;
  private final JdbcTemplate jdbc;

  private BusinessApplication(BusinessDatabase database, ConfigurableApplicationContext context) {
    this.database = database;
    this.context = context;
    this.transactions = new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
    this.jdbc = context.getBean(JdbcTemplate.class);
  }

  /**
   * What to start.
   *
   * @param configuration the application's class
   * @param properties of the application
   * @param connections at most
   */
  public record Plan(Class<?> configuration, Map<String, Object> properties, int connections) {
    /** Copies the properties. */
    public Plan {
      properties = Map.copyOf(properties);
    }
  }

  /**
   * Starts the application on an empty database.
   *
   * @param bean one more bean of the application
   */
  public static <T> BusinessApplication start(
      ArmSettings settings, Plan plan, Class<T> type, T bean) throws SQLException {
    BusinessDatabase database = BusinessDatabase.create(settings, plan.connections());
    ConfigurableApplicationContext context =
        new SpringApplicationBuilder(plan.configuration())
            .web(WebApplicationType.NONE)
            .bannerMode(Banner.Mode.OFF)
            .properties(Map.of("logging.level.root", "error"))
            .properties(plan.properties())
            .initializers(
                (GenericApplicationContext starting) -> {
                  starting.registerBean(DataSource.class, database::dataSource);
                  starting.registerBean(type, () -> bean);
                })
            .run();
    return new BusinessApplication(database, context);
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
  public long number(String query) throws SQLException {
    return database.number(query);
  }

  @Override
  public void close() {
    context.close();
    database.close();
  }
}
