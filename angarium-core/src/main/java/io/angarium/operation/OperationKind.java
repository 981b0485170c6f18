package io.angarium.operation;

import io.angarium.desk.MessageQuery.Order;
import io.angarium.desk.MessageRow;
import io.angarium.desk.Stage;
import java.time.Instant;

/** What an operation does with messages, and in which stage they are. */
public enum OperationKind {
  /** Sends dead letters again. */
  REQUEUE(Stage.DEAD),
  /** Takes dead letters away. */
  DISCARD(Stage.DEAD),
  /** Brings discarded messages back. */
  RESTORE(Stage.DISCARDED),
  /** Takes delayed messages away. */
  CANCEL(Stage.DELAYED),
  /** Makes waiting messages of paused destinations dead letters. */
  BURY(Stage.WAITING);

  private final Stage stage;

  OperationKind(Stage stage) {
    this.stage = stage;
  }

  /** The stage whose messages are changed. */
  public Stage stage() {
    return stage;
  }

  /**
   * The order in which it goes through the stage. What was discarded last comes back first: an
   * earlier letter blocks its key again only if the message behind it is there.
   */
  public Order order() {
    return this == RESTORE ? Order.NEWEST : Order.OLDEST;
  }

  /** Whether a message was in the stage at an instant. */
  public boolean wasThere(MessageRow row, Instant then) {
    Instant came = stage == Stage.DELAYED ? row.createdAt() : row.at();
    return !came.isAfter(then);
  }
}
