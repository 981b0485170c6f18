package io.angarium.alert;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A way to tell a person. Called by one thread at a time, never more often than once in 15 seconds
 * but for a test between; may block for as long as its own time-outs.
 */
public interface AlertChannel extends AutoCloseable {
  /** Its name, 1..64 characters; the same at all times, and no other channel's. */
  String name();

  /**
   * Tells. What was told is not told again; what failed is, also by another node.
   *
   * @throws IOException if it could not be told; the message says why, without secrets
   */
  void send(Notices notices) throws IOException;

  /** Ends its threads and connections, if it has any; nothing is sent afterwards. */
  @Override
  default void close() {}

  /**
   * How often it must be told what is on, also what somebody has taken, since its receiver takes
   * for over what it does not hear of. Null for one that persons read.
   */
  default @Nullable Duration renewal() {
    return null;
  }

  /**
   * Whether it is told when the database is away, by each node of its own. Others hear of it
   * afterwards only if it led to alerts.
   */
  default boolean direct() {
    return false;
  }
}
