package io.angarium.spring.autoconfigure;

import static io.angarium.spring.autoconfigure.PropertyMapping.bytes;
import static io.angarium.spring.autoconfigure.PropertyMapping.or;

import io.angarium.rocketmq.RocketConfig;

/** Maps the properties of RocketMQ; apart, because the RocketMQ module need not be present. */
final class RocketMapping {
  private RocketMapping() {}

  static RocketConfig rocket(AngariumProperties.Rocketmq given, BrokerDefaults defaults) {
    // The defaults do not depend on the servers.
    RocketConfig standard = RocketConfig.of("localhost:9876");
    return new RocketConfig(
        or(given.nameServers(), or(defaults.rocketNameServers(), "")),
        or(given.producerGroup(), standard.producerGroup()),
        or(given.accessKey(), standard.accessKey()),
        or(given.secretKey(), standard.secretKey()),
        or(given.tls(), standard.tls()),
        or(given.sendTimeout(), standard.sendTimeout()),
        or(given.holdMax(), standard.holdMax()),
        or(given.missingAfter(), standard.missingAfter()),
        or(given.batchMessages(), standard.batchMessages()),
        bytes(given.batch(), standard.batchBytes()),
        bytes(given.messageMax(), standard.messageBytesMax()));
  }
}
