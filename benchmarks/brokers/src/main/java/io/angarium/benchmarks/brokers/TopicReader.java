package io.angarium.benchmarks.brokers;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Reads a topic from its beginning, as somebody who knows no arm. Not thread-safe. */
public interface TopicReader extends AutoCloseable {
  /** Gets what was read. */
  @FunctionalInterface
  interface Taker {
    /** Takes a message; within a key in the order of the topic. */
    void take(@Nullable String key, byte[] payload);
  }

  /** Takes what is there; waits for something if there is nothing. */
  void poll(Duration max, Taker taker) throws Exception;

  /** Notes where the topic ends now. */
  void noteEnd() throws Exception;

  /** True if all before the noted end was taken. */
  boolean isAtEnd();

  @Override
  void close();
}
