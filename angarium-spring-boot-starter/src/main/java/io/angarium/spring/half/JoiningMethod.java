package io.angarium.spring.half;

import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.TransactionalMessages;
import io.angarium.spring.DeclaredTransaction;
import io.angarium.spring.SpringLocalTransactions;
import java.util.Optional;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * A method with {@code @Transactional}, which is to join the transaction with the marker.
 * Immutable.
 *
 * @param name of the method, for messages
 */
record JoiningMethod(String name, DeclaredTransaction declared) {
  private static final String WHICH = "with the marker";

  /** Why it does not join; empty if it does, or if that cannot be told. */
  Optional<String> fault(ConfigurableListableBeanFactory beans) {
    if (!declared.isRead(beans) || !hasMessages(beans)) {
      return Optional.empty(); // that messages are missing is told by itself
    }
    try {
      LocalTransactions<?> local = beans.getBeanProvider(LocalTransactions.class).getIfUnique();
      Optional<String> fault =
          local instanceof SpringLocalTransactions spring
              ? declared.fault(beans, spring::isJoinedBy, WHICH)
              : declared.faultIfNamed(WHICH);
      return fault.map(found -> MethodReader.fault(name, found));
    } catch (BeansException e) {
      return Optional.empty(); // told where the messages need them
    }
  }

  private static boolean hasMessages(ConfigurableListableBeanFactory beans) {
    Class<?> type = TransactionalMessages.class;
    return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type).length > 0;
  }
}
