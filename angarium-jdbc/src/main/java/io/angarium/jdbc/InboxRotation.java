package io.angarium.jdbc;

import io.angarium.Rounds;
import java.time.Duration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an inbox small: a thread that asks every five minutes whether it is time for {@link
 * JdbcInbox#rotate}. Every node may have one. Thread-safe.
 */
public final class InboxRotation implements AutoCloseable {
  /** How often it asks. */
  public static final Duration INTERVAL = Duration.ofMinutes(5);

  private static final Logger LOG = LoggerFactory.getLogger(InboxRotation.class);

  private final JdbcInbox inbox;
  private final Rounds rounds;

  private InboxRotation(JdbcInbox inbox, Duration interval) {
    this.inbox = inbox;
    this.rounds =
        new Rounds("angarium-inbox-rotation", "The rotation of the inbox", interval, this::rotate);
  }

  /** Starts the thread, a daemon. */
  public static InboxRotation start(JdbcInbox inbox) {
    return start(inbox, INTERVAL);
  }

  static InboxRotation start(JdbcInbox inbox, Duration interval) {
    InboxRotation rotation = new InboxRotation(inbox, interval);
    rotation.rounds.start(interval);
    return rotation;
  }

  private void rotate() {
    if (inbox.rotate()) {
      LOG.info("The inbox has forgotten what it no longer needs to know");
    }
  }

  /** Ends the thread; waits five seconds at most. May be called twice. */
  @Override
  public void close() {
    rounds.close();
  }
}
