package io.angarium.spring;

import java.util.Set;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Transactions of brokers around what runs. Spring does not count them among those that are active,
 * as their managers leave the synchronization to one of a database; what they hold is bound to the
 * thread all the same.
 */
final class BrokerTransactions {
  /** By name, as neither library need be there; both are bound in transactions only. */
  private static final Set<String> HELD =
      Set.of(
          "org.springframework.kafka.core.KafkaResourceHolder",
          "org.springframework.amqp.rabbit.connection.RabbitResourceHolder");

  private BrokerTransactions() {}

  /** True if one is running in this thread. */
  static boolean isAnyRunning() {
    for (Object held : TransactionSynchronizationManager.getResourceMap().values()) {
      if (HELD.contains(held.getClass().getName())) {
        return true;
      }
    }
    return false;
  }
}
