package io.angarium.rocketmq.transaction;

import io.angarium.ConfigFaults;
import io.angarium.rocketmq.RocketConfig;

/**
 * How transactional messages are sent. Start with {@link #of} and change parts, each giving a copy.
 * Immutable.
 *
 * @param cluster how to reach the cluster; its settings for requests with many messages do not
 *     apply
 * @param producerGroup the name of the group of producers, 1..120 letters, digits, {@code _-|%}.
 *     Any of them may be asked for the transactions of any other. So all must use the same
 *     database, and nothing else may use the group. Default {@code angarium-transactions}
 * @param checkThreads maximum questions of brokers that are answered at once, each with a
 *     connection to the database, 1..64; default 4
 */
public record RocketTransactionsConfig(
    RocketConfig cluster, String producerGroup, int checkThreads) {
  private static final int THREADS_MAX = 64;

  /**
   * Checks everything.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public RocketTransactionsConfig {
    new ConfigFaults()
        .require(
            RocketConfig.isGroup(producerGroup),
            "rocketmq.transactions.producer-group",
            "'" + producerGroup + "'",
            "1..120 letters, digits, '_', '-', '|' or '%'")
        .require(
            !producerGroup.equals(cluster.producerGroup()),
            "rocketmq.transactions.producer-group",
            "'" + producerGroup + "'",
            "another group than rocketmq.producer-group")
        .range("rocketmq.transactions.check-threads", checkThreads, 1, THREADS_MAX)
        .throwIfAny();
  }

  /** The defaults for a cluster. */
  public static RocketTransactionsConfig of(RocketConfig cluster) {
    return new RocketTransactionsConfig(cluster, "angarium-transactions", 4);
  }

  /** A copy with another group of producers. */
  public RocketTransactionsConfig producerGroup(String producerGroup) {
    return new RocketTransactionsConfig(cluster, producerGroup, checkThreads);
  }

  /** A copy with another number of questions answered at once. */
  public RocketTransactionsConfig checkThreads(int checkThreads) {
    return new RocketTransactionsConfig(cluster, producerGroup, checkThreads);
  }
}
