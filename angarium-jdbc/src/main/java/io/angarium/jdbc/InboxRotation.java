package io.angarium.jdbc;

import io.angarium.StoreException;
import io.angarium.background.BackgroundWork;
import io.angarium.background.internal.RepeatingTask;
import java.time.Duration;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps an inbox small: a thread that asks every five minutes whether it is time for {@link
 * JdbcInbox#rotate}. Every node may have one. Thread-safe.
 */
public final class InboxRotation implements BackgroundWork, AutoCloseable {
  /** How often it asks. */
  public static final Duration INTERVAL = Duration.ofMinutes(5);

  private static final Logger LOG = LoggerFactory.getLogger(InboxRotation.class);

  private final JdbcInbox inbox;
  private final RepeatingTask rounds;

  private InboxRotation(JdbcInbox inbox, Duration interval) {
    this.inbox = inbox;
    this.rounds =
        new RepeatingTask(
            "angarium-inbox-rotation", "The rotation of the inbox", interval, this::rotate);
  }

  /**
   * Starts the thread, a daemon; warns in the log if the user of the database has not the rights.
   * Blocks for that question.
   */
  public static InboxRotation start(JdbcInbox inbox) {
    warnOfMissingRights(inbox);
    return start(inbox, INTERVAL);
  }

  static InboxRotation start(JdbcInbox inbox, Duration interval) {
    InboxRotation rotation = new InboxRotation(inbox, interval);
    rotation.rounds.start(interval);
    return rotation;
  }

  /** Rows would be kept for ever, and nobody would know before the first period is over. */
  private static void warnOfMissingRights(JdbcInbox inbox) {
    try {
      inbox.rotationFault().ifPresent(InboxRotation::warn);
    } catch (StoreException e) {
      LOG.debug("It cannot be told whether the inbox can be rotated", e);
    }
  }

  private static void warn(String fault) {
    LOG.warn(
        "The inbox cannot be rotated, so it will grow: {}; or set angarium.inbox.rotation=false"
            + " where another node or a job calls JdbcInbox.rotate()",
        fault);
  }

  private void rotate() {
    if (inbox.rotate()) {
      LOG.info("The inbox was rotated: notes older than its retention are gone");
    }
  }

  /**
   * Why the inbox is not rotated, for a health check: the last two tries failed, or one does not
   * end.
   *
   * @return empty if nothing keeps it from being rotated
   */
  @Override
  public Optional<String> fault() {
    return rounds.fault();
  }

  /** Ends the thread; waits five seconds at most. May be called twice. */
  @Override
  public void close() {
    rounds.close();
  }
}
