package io.angarium.quickstart.demo;

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
  private final Arguments arguments;
  private final PrintStream out;
  private @Nullable LocalDatabase database;
  private @Nullable LocalBroker broker;
  private boolean closed;

  /**
   * Starts nothing yet.
   *
   * @param out where progress is told
   */
  public LocalServers(Arguments arguments, PrintStream out) {
    this.arguments = arguments;
    this.out = out;
  }

  /**
   * Starts both side by side; blocks until they answer.
   *
   * @throws StartupException if one of them cannot be had here; then neither runs
   */
  public void start() {
    out.println("Starting the database and the broker ...");
    CompletableFuture<LocalBroker> starting =
        CompletableFuture.supplyAsync(() -> LocalBroker.start(arguments.broker()));
    try {
      keep(LocalDatabase.start(arguments.database(), out));
      keep(starting.join());
    } catch (ServerUnavailableException | CompletionException e) {
      closeQuietly(starting.handle((server, error) -> server).join());
      close();
      Throwable cause = e instanceof CompletionException ? e.getCause() : e;
      throw new StartupException(String.valueOf(cause == null ? e : cause.getMessage()), e);
    }
  }

  private synchronized void keep(LocalDatabase started) {
    database = started;
    closeIfTooLate(started);
  }

  private synchronized void keep(LocalBroker started) {
    broker = started;
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
    properties.putAll(broker().properties());
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
  public synchronized String brokerTitle() {
    return broker().server().toString();
  }

  synchronized LocalBroker broker() {
    return started(broker);
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
    boolean clean = closeQuietly(broker);
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
