package io.angarium.spring;

import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.support.ResourceTransactionManager;
import org.springframework.util.ClassUtils;

/**
 * Tells whether the transactions of a transaction manager belong to a data source. It can tell for
 * the managers of JDBC and of Spring's JPA, but not for others, such as JTA's, Hibernate's own or a
 * broker's. Immutable.
 */
public final class ManagedDataSource {
  private static final boolean JPA =
      isPresent("org.springframework.orm.jpa.JpaTransactionManager")
          && isPresent("jakarta.persistence.EntityManagerFactory");

  private final DataSource dataSource;

  /** Creates it for a data source, or a transaction-aware proxy of it. */
  public ManagedDataSource(DataSource dataSource) {
    this.dataSource = SpringOutbox.target(dataSource);
  }

  private static boolean isPresent(String className) {
    return ClassUtils.isPresent(className, ManagedDataSource.class.getClassLoader());
  }

  /** Whether it is known that they are. */
  public boolean isOf(TransactionManager manager) {
    return dataSource(manager) == dataSource;
  }

  /** Whether it is known that they are not. */
  public boolean isNotOf(TransactionManager manager) {
    DataSource its = dataSource(manager);
    return its != null && its != dataSource;
  }

  /**
   * Whether a method in a transaction of one of them joins that of the other: they are the same, or
   * of the same resource.
   */
  static boolean areOne(TransactionManager first, TransactionManager second) {
    return first == second
        || (first instanceof ResourceTransactionManager one
            && second instanceof ResourceTransactionManager other
            && one.getResourceFactory() == other.getResourceFactory());
  }

  /** The one that its transactions are of; null if that cannot be told. */
  private static @Nullable DataSource dataSource(TransactionManager manager) {
    if (JPA && manager instanceof JpaTransactionManager jpa) {
      return jpa.getDataSource() == null ? null : SpringOutbox.target(jpa.getDataSource());
    }
    return manager instanceof ResourceTransactionManager known
            && known.getResourceFactory() instanceof DataSource its
        ? its
        : null;
  }
}
