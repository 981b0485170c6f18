package io.angarium.spring;

import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.dao.support.DataAccessUtils;
import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.orm.jpa.EntityManagerFactoryInfo;
import org.springframework.orm.jpa.EntityManagerFactoryUtils;
import org.springframework.orm.jpa.EntityManagerHolder;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.ClassUtils;

/**
 * Writes the pending changes of JPA to the database before the outbox rows, so that the row locks
 * of the business come first and order the ids. Does nothing without JPA on the class path.
 */
final class PersistenceContexts {
  private static final boolean PRESENT =
      isPresent("jakarta.persistence.EntityManager")
          && isPresent("org.springframework.orm.jpa.EntityManagerHolder");

  private PersistenceContexts() {}

  private static boolean isPresent(String className) {
    return ClassUtils.isPresent(className, PersistenceContexts.class.getClassLoader());
  }

  /** Flushes the entity managers that take part in the transaction of a data source. */
  static void flush(DataSource dataSource) {
    if (PRESENT) {
      Jpa.flush(dataSource);
    }
  }

  /** Apart, so that JPA's classes are loaded only where there are any. */
  private static final class Jpa {
    static void flush(DataSource dataSource) {
      // A copy: entity callbacks may bind resources of their own.
      for (Map.Entry<Object, Object> resource :
          List.copyOf(TransactionSynchronizationManager.getResourceMap().entrySet())) {
        if (resource.getValue() instanceof EntityManagerHolder holder
            && mayUse(resource.getKey(), dataSource)) {
          flush(holder.getEntityManager(), translator(resource.getKey()));
        }
      }
    }

    private static boolean mayUse(Object factory, DataSource dataSource) {
      return !(factory instanceof EntityManagerFactoryInfo known)
          || known.getDataSource() == null
          || SpringOutbox.target(known.getDataSource()) == dataSource;
    }

    private static PersistenceExceptionTranslator translator(Object factory) {
      PersistenceExceptionTranslator dialect =
          factory instanceof EntityManagerFactoryInfo known ? known.getJpaDialect() : null;
      return dialect == null
          ? EntityManagerFactoryUtils::convertJpaAccessExceptionIfPossible
          : dialect;
    }

    // Callers expect the exceptions that the commit itself would have thrown.
    private static void flush(EntityManager manager, PersistenceExceptionTranslator translator) {
      if (!manager.isOpen() || !manager.isJoinedToTransaction()) {
        return;
      }
      try {
        manager.flush();
      } catch (RuntimeException e) {
        throw DataAccessUtils.translateIfNecessary(e, translator);
      }
    }
  }
}
