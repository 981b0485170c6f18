package io.angarium.spring.autoconfigure.internal.data;

import io.angarium.spring.ManagedDataSource;
import java.util.List;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.HierarchicalBeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.SingletonBeanRegistry;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Warns at the start if no bean is a transaction manager of the outbox's data source. Messages can
 * then be sent only in transactions of a manager that is not a bean.
 */
public final class TransactionWarnings {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionWarnings.class);

  private TransactionWarnings() {}

  /** Creates no transaction manager: of one that is not there yet, nothing can be said. */
  public static void tell(DataSource dataSource, ListableBeanFactory beans) {
    if (isCertainlyWithout(dataSource, beans)) {
      LOG.warn(
          "The outbox's data source has no transaction manager among the beans {}: send throws"
              + " NoTransactionException, and @Transactional may have no effect. Define one, e.g."
              + " new JdbcTransactionManager(dataSource). Spring Boot does so only for a single or"
              + " @Primary data source, and only if there is no other transaction manager",
          names(beans));
    }
  }

  static boolean isCertainlyWithout(DataSource dataSource, ListableBeanFactory beans) {
    ManagedDataSource managed = new ManagedDataSource(dataSource);
    return names(beans).stream()
        .allMatch(name -> isThere(beans, name) && takesNone(managed, beans, name));
  }

  private static List<String> names(ListableBeanFactory beans) {
    return List.of(
        BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
            beans, PlatformTransactionManager.class, true, false));
  }

  private static boolean takesNone(
      ManagedDataSource managed, ListableBeanFactory beans, String name) {
    PlatformTransactionManager manager = beans.getBean(name, PlatformTransactionManager.class);
    return managed.isNotOf(manager) || TransactionManagers.isOfBroker(manager);
  }

  /** Whether it has been created, in this context or in one above it. */
  private static boolean isThere(BeanFactory beans, String name) {
    if (beans instanceof SingletonBeanRegistry known && known.containsSingleton(name)) {
      return true;
    }
    return beans instanceof HierarchicalBeanFactory child
        && !child.containsLocalBean(name)
        && child.getParentBeanFactory() != null
        && isThere(child.getParentBeanFactory(), name);
  }
}
