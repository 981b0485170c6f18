package io.angarium.spring.autoconfigure;

import io.angarium.ConfigurationException;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.transaction.PlatformTransactionManager;

/** Chooses the transaction manager of what runs transactions of its own. */
final class TransactionManagers {
  private TransactionManagers() {}

  /**
   * The only one.
   *
   * @param instead the bean that an application with several defines
   * @throws ConfigurationException if there is none, or several could be meant
   */
  static PlatformTransactionManager only(
      ObjectProvider<PlatformTransactionManager> managers, Class<?> instead) {
    PlatformTransactionManager manager = managers.getIfUnique();
    if (manager == null) {
      throw new ConfigurationException(
          List.of(
              "transaction managers: "
                  + managers.stream().count()
                  + " (expected: one, or one marked with @Primary, or a bean of "
                  + instead.getSimpleName()
                  + " marked with @Primary)"));
    }
    return manager;
  }
}
