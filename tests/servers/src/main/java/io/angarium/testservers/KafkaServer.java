package io.angarium.testservers;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.jspecify.annotations.Nullable;

/**
 * A running Kafka broker, controller in the same process. Ends with this JVM at the latest, however
 * the JVM ends. Thread-safe.
 */
public final class KafkaServer extends RunningServer {
  private static final int CALL_LIMIT_MILLIS = 30_000;

  private final String host;
  private final int port;
  private final @Nullable FaultProxy proxy;
  private final String ofRecipe;

  private KafkaServer(
      Origin origin,
      ServerProcess process,
      String host,
      int port,
      @Nullable FaultProxy proxy,
      String version) {
    super(Server.KAFKA, origin, process);
    this.host = host;
    this.port = port;
    this.proxy = proxy;
    this.ofRecipe = version;
    begin();
  }

  /**
   * Starts a broker of the tests' own, or connects to the named one.
   *
   * @throws ServerUnavailableException when it cannot be had here; the message says what was tried
   */
  public static KafkaServer start(ServerOptions options) {
    Optional<String> named = Server.KAFKA.named();
    if (options.origins().contains(Origin.NAMED) && named.isPresent()) {
      return named(named.get());
    }
    Programs programs = ProgramSource.first(Server.KAFKA, KafkaRecipe.sources(), options.origins());
    return FreePort.using(3, ports -> startOn(ports, programs, options));
  }

  private static KafkaServer named(String address) {
    int colon = address.lastIndexOf(':');
    if (colon < 1 || address.contains(",")) {
      throw new IllegalArgumentException(
          Server.KAFKA.variable() + ": " + address + " (expected: <host>:<port>)");
    }
    return new KafkaServer(
        Origin.NAMED,
        new NamedProcess(Server.KAFKA),
        address.substring(0, colon),
        Integer.parseInt(address.substring(colon + 1)),
        null,
        "unknown");
  }

  private static KafkaServer startOn(
      List<Integer> ports, Programs programs, ServerOptions options) {
    FaultProxy proxy = options.behindProxy() ? FaultProxy.to("127.0.0.1", ports.get(2)) : null;
    int advertised = proxy == null ? ports.get(2) : proxy.port();
    KafkaRecipe recipe = new KafkaRecipe(ports.get(0), ports.get(1), ports.get(2), advertised);
    try {
      ServerProcess process =
          ServerFolders.filling(
              ServerFolders.createFor(Server.KAFKA),
              folder -> recipe.prepare(programs, options, folder));
      return new KafkaServer(
          programs.origin(), process, "127.0.0.1", ports.get(0), proxy, KafkaRecipe.version());
    } catch (ServerUnavailableException e) {
      if (proxy != null) {
        proxy.close();
      }
      throw e;
    }
  }

  /** Fails until a client sees the broker in the metadata that the broker itself hands out. */
  @Override
  String askVersion() throws IOException {
    try (Admin admin = admin()) {
      if (!admin.describeCluster().nodes().get(2, TimeUnit.SECONDS).isEmpty()) {
        return ofRecipe;
      }
      throw new IOException("no broker in the cluster yet");
    } catch (ExecutionException | TimeoutException e) {
      throw new IOException(e.toString(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ServerUnavailableException("Interrupted while Kafka was starting", e);
    }
  }

  @Override
  void closeOthers() {
    if (proxy != null) {
      proxy.close();
    }
  }

  private Admin admin() {
    return Admin.create(
        Map.of(
            AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG,
            directBootstrapServers(),
            AdminClientConfig.RECONNECT_BACKOFF_MS_CONFIG,
            50,
            AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG,
            100,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG,
            CALL_LIMIT_MILLIS));
  }

  /** Where clients connect; leads through {@link #proxy()} when there is one. */
  public String bootstrapServers() {
    return proxy == null ? directBootstrapServers() : "127.0.0.1:" + proxy.port();
  }

  /** Where a checking client connects that must not feel the faults of {@link #proxy()}. */
  public String directBootstrapServers() {
    return host + ":" + port;
  }

  /**
   * The proxy between the broker and its clients.
   *
   * @throws IllegalStateException unless the server was started with {@link
   *     ServerOptions#proxied()}
   */
  public FaultProxy proxy() {
    return required(proxy);
  }

  /**
   * Creates a topic of one replica and waits until the broker takes records for it.
   *
   * @param partitions at least 1
   */
  public void createTopic(String topic, int partitions) {
    createTopic(topic, partitions, Map.of());
  }

  /**
   * Creates a topic of one replica and waits until the broker takes records for it.
   *
   * @param partitions at least 1
   * @param settings those of the topic that differ from the broker's
   */
  public void createTopic(String topic, int partitions, Map<String, String> settings) {
    NewTopic wanted = new NewTopic(topic, partitions, (short) 1).configs(settings);
    call("create the topic " + topic, admin -> admin.createTopics(List.of(wanted)).all());
    long deadline = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CALL_LIMIT_MILLIS);
    while (!isOpen(topic, partitions)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("Kafka does not know the new topic " + topic);
      }
      Shell.pause(20);
    }
  }

  /**
   * The broker can tell the ends only when it leads the partitions. If it gets records before, it
   * may refuse a batch and take the next one as the producer's first; the refused one is then out
   * of order until it expires. That it does not know the topic yet, the client takes for an answer.
   */
  private boolean isOpen(String topic, int partitions) {
    try {
      call("open the topic " + topic, admin -> admin.listOffsets(ends(topic, partitions)).all());
      return true;
    } catch (IllegalStateException e) {
      if (Objects.requireNonNull(e.getCause()).getCause()
          instanceof UnknownTopicOrPartitionException) {
        return false;
      }
      throw e;
    }
  }

  private static Map<TopicPartition, OffsetSpec> ends(String topic, int partitions) {
    return IntStream.range(0, partitions)
        .mapToObj(partition -> new TopicPartition(topic, partition))
        .collect(Collectors.toMap(Function.identity(), partition -> OffsetSpec.latest()));
  }

  /** Deletes a topic; its files go a while later. */
  public void deleteTopic(String topic) {
    call("delete the topic " + topic, admin -> admin.deleteTopics(List.of(topic)).all());
  }

  private void call(String what, Function<Admin, KafkaFuture<?>> request) {
    try (Admin admin = admin()) {
      request.apply(admin).get(CALL_LIMIT_MILLIS, TimeUnit.MILLISECONDS);
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("Kafka did not " + what, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while Kafka was to " + what, e);
    }
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String host() {
    return host;
  }
}
