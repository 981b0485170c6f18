package io.angarium.spring.autoconfigure.internal.mapping;

import static io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping.bytes;
import static io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping.or;

import io.angarium.ConfigurationException;
import io.angarium.rocketmq.RocketConfig;
import io.angarium.rocketmq.transaction.RocketTransactionsConfig;
import io.angarium.spring.settings.AngariumProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maps the properties of RocketMQ; apart, because the RocketMQ module need not be present. */
public final class RocketMapping {
  private static final String SERVERS = "localhost:9876";

  private RocketMapping() {}

  /**
   * The configuration that the properties make.
   *
   * @param nameServersDefault used if the properties name no servers; null for none
   */
  public static RocketConfig rocket(
      AngariumProperties.Rocketmq given, @Nullable String nameServersDefault) {
    return withServers(given, MissingAddress.ROCKETMQ.required(servers(given, nameServersDefault)));
  }

  /** Returns mappings as checks; each mapping checks different properties. */
  public static List<Runnable> checks(
      AngariumProperties.Rocketmq given, @Nullable String nameServersDefault) {
    String servers = servers(given, nameServersDefault);
    // Missing servers have a fault of their own.
    String known = servers == null || servers.isBlank() ? SERVERS : servers;
    return List.of(
        () -> MissingAddress.ROCKETMQ.required(servers), () -> withServers(given, known));
  }

  private static @Nullable String servers(
      AngariumProperties.Rocketmq given, @Nullable String nameServersDefault) {
    return given.nameServers() == null ? nameServersDefault : given.nameServers();
  }

  private static RocketConfig withServers(AngariumProperties.Rocketmq given, String servers) {
    // The defaults do not depend on the servers.
    RocketConfig standard = RocketConfig.of(SERVERS);
    return new RocketConfig(
        servers,
        or(given.producerGroup(), standard.producerGroup()),
        or(given.accessKey(), standard.accessKey()),
        or(given.secretKey(), standard.secretKey()),
        or(given.tls(), standard.tls()),
        or(given.sendTimeout(), standard.sendTimeout()),
        standard.holdMax(),
        or(given.missingAfter(), standard.missingAfter()),
        or(given.fewerQueuesAfter(), standard.fewerQueuesAfter()),
        standard.batchMessages(),
        standard.batchBytes(),
        bytes(given.messageMax(), standard.messageBytesMax()),
        acknowledge(given.acknowledge(), standard));
  }

  private static RocketConfig.Acknowledge acknowledge(
      AngariumProperties.@Nullable Acknowledge given, RocketConfig standard) {
    return given == null ? standard.acknowledge() : RocketConfig.Acknowledge.valueOf(given.name());
  }

  public static RocketTransactionsConfig transactions(
      AngariumProperties.Rocketmq given, RocketConfig cluster) {
    RocketTransactionsConfig standard = RocketTransactionsConfig.of(cluster);
    return new RocketTransactionsConfig(
        cluster,
        or(given.transactions().producerGroup(), standard.producerGroup()),
        standard.checkThreads());
  }

  /**
   * Checks the settings of transactions.
   *
   * @param told true if the faults of the cluster are known already
   * @throws ConfigurationException listing all faults
   */
  public static void checkTransactions(
      AngariumProperties.Rocketmq given, @Nullable String nameServersDefault, boolean told) {
    RocketConfig cluster;
    try {
      cluster = rocket(given, nameServersDefault);
    } catch (ConfigurationException e) {
      if (told) {
        return;
      }
      throw e;
    }
    transactions(given, cluster);
  }
}
