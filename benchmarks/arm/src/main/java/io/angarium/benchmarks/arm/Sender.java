package io.angarium.benchmarks.arm;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Sends to the topic of an arm without waiting for the broker, and counts what the broker
 * acknowledged. Messages of a key arrive in the order they were sent in while nothing fails, if one
 * thread sends them.
 */
public interface Sender extends AutoCloseable {
  /**
   * Sends; blocks only while the broker's client takes no more.
   *
   * @param done gets null once the broker has acknowledged the message, else the failure; called by
   *     a thread of the client's
   */
  void send(@Nullable String key, byte[] payload, Consumer<@Nullable Throwable> done);

  /** Messages acknowledged so far. Thread-safe. */
  long acknowledged();

  @Override
  void close();
}
