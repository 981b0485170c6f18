package io.angarium.testservers;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** What is asked of a RocketMQ cluster through its name server, past all proxies. */
record RocketAdmin(String host, int nameServerPort) {
  private static final Duration TOPIC_LIMIT = Duration.ofSeconds(60);
  private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9_-]{1,127}");

  /** A master's address in the name server's list: {@code "brokerAddrs":{0:"127.0.0.1:10911"}}. */
  private static final Pattern MASTER =
      Pattern.compile("\"brokerAddrs\":\\{\"?0\"?:\"([^\":]+):(\\d+)\"");

  /** A topic that each broker has, and registers only together with all others. */
  private static final String ALWAYS_THERE = "SELF_TEST_TOPIC";

  /** Where a broker listens. */
  record Broker(String host, int port) {}

  /** The brokers that can be written to. */
  List<Broker> brokers() throws IOException {
    return MASTER
        .matcher(RocketRequest.brokers().send(host, nameServerPort).body())
        .results()
        .map(found -> new Broker(found.group(1), Integer.parseInt(found.group(2))))
        .toList();
  }

  /**
   * Whether the name server knows a broker with all its topics. The broker registers as soon as it
   * runs, but often before it has connected, and then once more ten seconds later; so it is told to
   * do so now.
   */
  boolean knows(Broker broker) {
    try {
      RocketRequest.ping().send(broker.host(), broker.port());
      if (isRouted(ALWAYS_THERE)) {
        return true;
      }
      RocketRequest.register().send(broker.host(), broker.port());
    } catch (IOException e) {
      return false; // not yet
    }
    return false;
  }

  private boolean isRouted(String topic) throws IOException {
    return RocketRequest.route(topic).send(host, nameServerPort).code() == 0;
  }

  /** Creates a topic on all brokers and waits until clients can find it. */
  void createTopic(String topic, int queues, String messageType) {
    if (!TOPIC.matcher(topic).matches()) {
      throw new IllegalArgumentException("Topic: " + topic + " (expected: " + TOPIC + ")");
    }
    try {
      for (Broker broker : brokers()) {
        RocketRequest.Answer answer =
            RocketRequest.createTopic(topic, queues, "+message.type=" + messageType)
                .send(broker.host(), broker.port());
        if (answer.code() != 0) {
          throw new IllegalStateException(
              "RocketMQ did not create the topic %s: %s".formatted(topic, answer.remark()));
        }
      }
      awaitRoute(topic);
    } catch (IOException e) {
      throw new IllegalStateException("RocketMQ did not create the topic " + topic, e);
    }
  }

  /** Deletes a topic from all brokers, then from the name server. */
  void deleteTopic(String topic) {
    try {
      for (Broker broker : brokers()) {
        requireDone(
            topic, RocketRequest.deleteTopicFromBroker(topic).send(broker.host(), broker.port()));
      }
      requireDone(topic, RocketRequest.deleteTopicFromNameServer(topic).send(host, nameServerPort));
    } catch (IOException e) {
      throw new IllegalStateException("RocketMQ did not delete the topic " + topic, e);
    }
  }

  private static void requireDone(String topic, RocketRequest.Answer answer) {
    if (answer.code() != 0) {
      throw new IllegalStateException(
          "RocketMQ did not delete the topic %s: %s".formatted(topic, answer.remark()));
    }
  }

  private void awaitRoute(String topic) throws IOException {
    long deadline = System.nanoTime() + TOPIC_LIMIT.toNanos();
    while (!isRouted(topic)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("No route to the new topic " + topic);
      }
      Shell.pause(20);
    }
  }
}
