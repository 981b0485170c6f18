package io.angarium.spring.autoconfigure;

import io.angarium.spring.ManagedDataSource;
import java.util.Map;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Warns at the start if no bean is a transaction manager of the outbox's data source. Messages can
 * then be sent only in transactions of a manager that is not a bean.
 */
final class TransactionWarnings {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionWarnings.class);

  private TransactionWarnings() {}

  /** Looks at all transaction managers that are beans, so all must have been made. */
  static void tell(DataSource dataSource, ListableBeanFactory beans) {
    ManagedDataSource managed = new ManagedDataSource(dataSource);
    Map<String, PlatformTransactionManager> all =
        beans.getBeansOfType(PlatformTransactionManager.class);
    if (all.values().stream().allMatch(managed::isNotOf)) {
      LOG.warn(
          "The outbox's data source has no transaction manager among the beans {}: send throws"
              + " NoTransactionException, and @Transactional may have no effect. Define one, e.g."
              + " new JdbcTransactionManager(dataSource). Spring Boot does so only for a single or"
              + " @Primary data source, and only if there is no other transaction manager",
          all.keySet());
    }
  }
}
