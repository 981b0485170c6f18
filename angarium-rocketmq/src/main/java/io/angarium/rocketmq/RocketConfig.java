package io.angarium.rocketmq;

import io.angarium.ConfigFaults;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How to reach a RocketMQ cluster and how to send to it. Start with {@link #of} and change parts,
 * each giving a copy. Immutable.
 *
 * @param nameServers {@code host:port}, several separated by semicolons or commas
 * @param producerGroup the name of the group of producers, 1..120 letters, digits, {@code _-|%};
 *     default {@code angarium}
 * @param accessKey of the account where the cluster asks for one; empty for none
 * @param secretKey of that account; empty for none
 * @param tls whether connections are encrypted; RocketMQ's own system properties set the
 *     certificates. Default false
 * @param sendTimeout how long a broker may take to answer before the messages have the result
 *     Unavailable, 500 ms..2 min; default 3 s. A partition also stays unread for this time after
 *     its owner died, so keep it near the lease
 * @param holdMax how long a message waits for its turn, or for its topic to be known, 100 ms..1
 *     min; default 3 s. After this time it is Unavailable, or Refused if the topic does not exist
 * @param missingAfter for how long a topic must be missing, while some broker is there, before its
 *     messages are Refused, 0..1 h; default 2 min
 * @param fewerQueuesAfter for how long a queue may be missing before its keys go to other queues,
 *     0..30 days; default 2 min. A queue is missing, for example, when its broker is away.
 *     Consumers may see the messages in the other queues before the rest of the old queue. Zero
 *     means never: its messages wait
 * @param batchMessages maximum messages to one queue in one request, 1..10000; default 500
 * @param batchBytes maximum size of one request with everything that a broker stores of its
 *     messages, 1 KiB..4 MiB; default 1 MiB, and never more than {@code messageBytesMax}. One
 *     message alone may be larger
 * @param messageBytesMax the largest payload that brokers take, as they are configured ({@code
 *     maxMessageSize}), 1 KiB..64 MiB; default 4 MiB
 * @param acknowledge when a message counts as sent; default {@link Acknowledge#WHEN_SAFE}
 */
public record RocketConfig(
    String nameServers,
    String producerGroup,
    String accessKey,
    String secretKey,
    boolean tls,
    Duration sendTimeout,
    Duration holdMax,
    Duration missingAfter,
    Duration fewerQueuesAfter,
    int batchMessages,
    int batchBytes,
    int messageBytesMax,
    Acknowledge acknowledge) {
  private static final Pattern SERVER = Pattern.compile("([^:\\s/;,]+):(\\d{1,5})");
  private static final Pattern GROUP = Pattern.compile("[%|a-zA-Z0-9_-]{1,120}");
  private static final int PORT_MAX = 65_535;
  private static final int KIB = 1 << 10;
  private static final int MIB = 1 << 20;

  /** When a message counts as sent. */
  public enum Acknowledge {
    /**
     * When the broker has it as safely as the broker is set up to: on its disk, at its replicas.
     */
    WHEN_SAFE,
    /** When the broker has it at all, perhaps in its memory only, perhaps without replicas. */
    WHEN_STORED
  }

  /**
   * Checks everything.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public RocketConfig {
    ConfigFaults faults = new ConfigFaults();
    for (String server : nameServers.split("[;,]", -1)) {
      Matcher parts = SERVER.matcher(server.strip());
      boolean wellFormed = parts.matches() && isPort(parts.group(2));
      faults.require(wellFormed, "rocketmq.name-servers", "'" + server.strip() + "'", "host:port");
    }
    faults
        .require(
            isGroup(producerGroup),
            "rocketmq.producer-group",
            "'" + producerGroup + "'",
            "1..120 letters, digits, '_', '-', '|' or '%'")
        .require(
            accessKey.isEmpty() == secretKey.isEmpty(),
            "rocketmq.access-key",
            accessKey.isEmpty() ? "none" : "'" + accessKey + "'",
            "access-key and secret-key together, or none")
        .range("rocketmq.send-timeout", sendTimeout, Duration.ofMillis(500), Duration.ofMinutes(2))
        .range("rocketmq.hold-max", holdMax, Duration.ofMillis(100), Duration.ofMinutes(1))
        .range("rocketmq.missing-after", missingAfter, Duration.ZERO, Duration.ofHours(1))
        .range("rocketmq.fewer-queues-after", fewerQueuesAfter, Duration.ZERO, Duration.ofDays(30))
        .range("rocketmq.batch-messages", batchMessages, 1, 10_000)
        .range("rocketmq.batch", batchBytes, KIB, 4 * MIB)
        .range("rocketmq.message-max", messageBytesMax, KIB, 64 * MIB)
        .throwIfAny();
  }

  /** Whether RocketMQ takes this name for a group. */
  public static boolean isGroup(String name) {
    return GROUP.matcher(name).matches();
  }

  private static boolean isPort(String digits) {
    int port = Integer.parseInt(digits);
    return port >= 1 && port <= PORT_MAX;
  }

  /**
   * The defaults for a cluster.
   *
   * @throws io.angarium.ConfigurationException if the servers are not of the form {@code host:port}
   */
  public static RocketConfig of(String nameServers) {
    return new RocketConfig(
        nameServers,
        "angarium",
        "",
        "",
        false,
        Duration.ofSeconds(3),
        Duration.ofSeconds(3),
        Duration.ofMinutes(2),
        Duration.ofMinutes(2),
        500,
        MIB,
        4 * MIB,
        Acknowledge.WHEN_SAFE);
  }

  /** A copy with other name servers. */
  public RocketConfig nameServers(String nameServers) {
    return new RocketConfig(
        nameServers,
        producerGroup,
        accessKey,
        secretKey,
        tls,
        sendTimeout,
        holdMax,
        missingAfter,
        fewerQueuesAfter,
        batchMessages,
        batchBytes,
        messageBytesMax,
        acknowledge);
  }

  /** A copy with another group of producers. */
  public RocketConfig producerGroup(String producerGroup) {
    return new RocketConfig(
        nameServers,
        producerGroup,
        accessKey,
        secretKey,
        tls,
        sendTimeout,
        holdMax,
        missingAfter,
        fewerQueuesAfter,
        batchMessages,
        batchBytes,
        messageBytesMax,
        acknowledge);
  }

  /** A copy with another account; both empty for none. */
  public RocketConfig account(String accessKey, String secretKey) {
    return new RocketConfig(
        nameServers,
        producerGroup,
        accessKey,
        secretKey,
        tls,
        sendTimeout,
        holdMax,
        missingAfter,
        fewerQueuesAfter,
        batchMessages,
        batchBytes,
        messageBytesMax,
        acknowledge);
  }

  /** A copy with or without TLS. */
  public RocketConfig tls(boolean tls) {
    return new RocketConfig(
        nameServers,
        producerGroup,
        accessKey,
        secretKey,
        tls,
        sendTimeout,
        holdMax,
        missingAfter,
        fewerQueuesAfter,
        batchMessages,
        batchBytes,
        messageBytesMax,
        acknowledge);
  }

  /** A copy with another send timeout. */
  public RocketConfig sendTimeout(Duration sendTimeout) {
    return new RocketConfig(
        nameServers,
        producerGroup,
        accessKey,
        secretKey,
        tls,
        sendTimeout,
        holdMax,
        missingAfter,
        fewerQueuesAfter,
        batchMessages,
        batchBytes,
        messageBytesMax,
        acknowledge);
  }

  /** A copy with another longest time of waiting. */
  public RocketConfig holdMax(Duration holdMax) {
    return new RocketConfig(
        nameServers,
        producerGroup,
        accessKey,
        secretKey,
        tls,
        sendTimeout,
        holdMax,
        missingAfter,
        fewerQueuesAfter,
        batchMessages,
        batchBytes,
        messageBytesMax,
        acknowledge);
  }

  /** A copy with another time after which a topic counts as missing. */
  public RocketConfig missingAfter(Duration missingAfter) {
    return new RocketConfig(
        nameServers,
        producerGroup,
        accessKey,
        secretKey,
        tls,
        sendTimeout,
        holdMax,
        missingAfter,
        fewerQueuesAfter,
        batchMessages,
        batchBytes,
        messageBytesMax,
        acknowledge);
  }

  /** A copy with another time after which keys go to other queues; zero for never. */
  public RocketConfig fewerQueuesAfter(Duration fewerQueuesAfter) {
    return new RocketConfig(
        nameServers,
        producerGroup,
        accessKey,
        secretKey,
        tls,
        sendTimeout,
        holdMax,
        missingAfter,
        fewerQueuesAfter,
        batchMessages,
        batchBytes,
        messageBytesMax,
        acknowledge);
  }

  /** A copy with another number of messages in one request. */
  public RocketConfig batchMessages(int batchMessages) {
    return new RocketConfig(
        nameServers,
        producerGroup,
        accessKey,
        secretKey,
        tls,
        sendTimeout,
        holdMax,
        missingAfter,
        fewerQueuesAfter,
        batchMessages,
        batchBytes,
        messageBytesMax,
        acknowledge);
  }

  /** A copy with another size of one request. */
  public RocketConfig batchBytes(int batchBytes) {
    return new RocketConfig(
        nameServers,
        producerGroup,
        accessKey,
        secretKey,
        tls,
        sendTimeout,
        holdMax,
        missingAfter,
        fewerQueuesAfter,
        batchMessages,
        batchBytes,
        messageBytesMax,
        acknowledge);
  }

  /** A copy with another largest payload. */
  public RocketConfig messageBytesMax(int messageBytesMax) {
    return new RocketConfig(
        nameServers,
        producerGroup,
        accessKey,
        secretKey,
        tls,
        sendTimeout,
        holdMax,
        missingAfter,
        fewerQueuesAfter,
        batchMessages,
        batchBytes,
        messageBytesMax,
        acknowledge);
  }

  /** A copy with another moment at which a message counts as sent. */
  public RocketConfig acknowledge(Acknowledge acknowledge) {
    return new RocketConfig(
        nameServers,
        producerGroup,
        accessKey,
        secretKey,
        tls,
        sendTimeout,
        holdMax,
        missingAfter,
        fewerQueuesAfter,
        batchMessages,
        batchBytes,
        messageBytesMax,
        acknowledge);
  }

  /** The name servers as the client takes them. */
  String nameServerList() {
    return nameServers.replace(',', ';').replace(" ", "");
  }

  /** Everything but the secret key. */
  @Override
  public String toString() {
    return "RocketConfig[nameServers=%s, producerGroup=%s, accessKey=%s, tls=%s, sendTimeout=%s, holdMax=%s, missingAfter=%s, fewerQueuesAfter=%s, batchMessages=%d, batchBytes=%d, messageBytesMax=%d, acknowledge=%s]"
        .formatted(
            nameServers,
            producerGroup,
            accessKey,
            tls,
            sendTimeout,
            holdMax,
            missingAfter,
            fewerQueuesAfter,
            batchMessages,
            batchBytes,
            messageBytesMax,
            acknowledge);
  }
}
