package io.angarium.spring.autoconfigure;

import io.angarium.ConfigurationException;
import io.angarium.spring.ManagedDataSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.PlatformTransactionManager;

/** Chooses the transaction manager of what runs transactions of its own. */
final class TransactionManagers {
  private static final String DEFINE_ONE =
      "; define one, e.g. new JdbcTransactionManager(dataSource), as Spring Boot does so only for a"
          + " single or @Primary data source, and only if there is no other transaction manager";

  private TransactionManagers() {}

  /**
   * The only one, or the one marked with {@code @Primary}; where that is known to be of something
   * else, or there is no such one, the only one of a data source. Others are not made before.
   *
   * @param instead the bean that an application defines where none can be chosen
   * @throws ConfigurationException if none is known to be right, and none may be
   */
  static PlatformTransactionManager of(
      DataSource dataSource, ListableBeanFactory beans, Class<?> instead) {
    ManagedDataSource managed = new ManagedDataSource(dataSource);
    PlatformTransactionManager first =
        beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
    return first == null || managed.isNotOf(first)
        ? onlyOne(managed, beans.getBeansOfType(PlatformTransactionManager.class), instead)
        : first;
  }

  private static PlatformTransactionManager onlyOne(
      ManagedDataSource managed, Map<String, PlatformTransactionManager> all, Class<?> instead) {
    List<PlatformTransactionManager> its = all.values().stream().filter(managed::isOf).toList();
    if (its.size() == 1) {
      return its.get(0);
    }
    throw new ConfigurationException(
        List.of(
            "transaction managers: "
                + (all.isEmpty() ? "none" : all.size() + names(all, managed))
                + " (expected: one of the outbox's data source, or one of several marked with"
                + " @Primary, or a bean of "
                + instead.getSimpleName()
                + " marked with @Primary"
                + (its.isEmpty() ? DEFINE_ONE : "")
                + ")"));
  }

  private static String names(
      Map<String, PlatformTransactionManager> all, ManagedDataSource managed) {
    return all.entrySet().stream()
        .map(each -> each.getKey() + (managed.isNotOf(each.getValue()) ? " of another one" : ""))
        .collect(Collectors.joining(", ", ", ", ""));
  }
}
