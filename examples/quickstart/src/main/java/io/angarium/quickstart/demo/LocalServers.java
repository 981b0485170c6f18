package io.angarium.quickstart.demo;

import io.angarium.quickstart.demo.Arguments.DatabaseChoice;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.ServerUnavailableException;
import java.io.PrintStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * The database and the broker of the quickstart: processes of its own on the loopback address, gone
 * with all their data when it ends. Thread-safe.
 */
public final class LocalServers implements AutoCloseable {
  /** The topic of the orders. */
  static final String TOPIC = "orders";

  private static final int PARTITIONS = 4;

  private final DatabaseChoice choice;
  private final PrintStream out;
  private @Nullable LocalDatabase database;
  private @Nullable KafkaServer kafka;
  private boolean closed;

  /**
   * Starts nothing yet.
   *
   * @param out where progress is told
   */
  public LocalServers(DatabaseChoice choice, PrintStream out) {
    this.choice = choice;
    this.out = out;
  }

  /**
   * Starts both side by side; blocks until they answer.
   *
   * @throws StartupException if one of them cannot be had here; then neither runs
   */
  public void start() {
    out.println("Starting the database and the broker ...");
    CompletableFuture<KafkaServer> broker = CompletableFuture.supplyAsync(this::startBroker);
    try {
      keep(LocalDatabase.start(choice, out));
      keep(broker.join());
    } catch (ServerUnavailableException | CompletionException e) {
      closeQuietly(broker.handle((server, error) -> server).join());
      close();
      Throwable cause = e instanceof CompletionException ? e.getCause() : e;
      throw new StartupException(String.valueOf(cause == null ? e : cause.getMessage()), e);
    }
  }

  private KafkaServer startBroker() {
    KafkaServer started = KafkaServer.start(ServerOptions.standard().ownProcess());
    started.createTopic(TOPIC, PARTITIONS);
    return started;
  }

  private synchronized void keep(LocalDatabase started) {
    database = started;
    closeIfTooLate(started);
  }

  private synchronized void keep(KafkaServer started) {
    kafka = started;
    closeIfTooLate(started);
  }

  private void closeIfTooLate(AutoCloseable started) {
    if (closed) {
      closeQuietly(started);
      throw new StartupException("It was interrupted.");
    }
  }

  /** What Spring Boot needs to know about the two. */
  public synchronized Map<String, Object> properties() {
    Map<String, Object> properties = new HashMap<>(database().properties());
    properties.put("spring.kafka.bootstrap-servers", kafka().bootstrapServers());
    return properties;
  }

  /** Product, version and process of the database. */
  public synchronized String databaseTitle() {
    return database().title();
  }

  synchronized LocalDatabase database() {
    return started(database);
  }

  /** Product, version and port of the broker. */
  public synchronized String broker() {
    return kafka().toString();
  }

  synchronized KafkaServer kafka() {
    return started(kafka);
  }

  private static <T> T started(@Nullable T server) {
    if (server == null) {
      throw new IllegalStateException("The servers were not started.");
    }
    return server;
  }

  /** Ends both and removes their data. May be called twice. */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    boolean clean = closeQuietly(kafka);
    clean &= closeQuietly(database);
    out.println(clean ? "Stopped. Nothing is left behind." : "Stopped.");
  }

  /** Closes what was started; false if that failed, which is told. */
  private boolean closeQuietly(@Nullable AutoCloseable server) {
    if (server == null) {
      return true;
    }
    try {
      server.close();
      return true;
    } catch (Exception e) {
      out.println("Could not clear up after " + server + ": " + e.getMessage());
      return false;
    }
  }
}
