package io.angarium.console.internal.calls;

import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import io.angarium.alert.AlertKey;
import io.angarium.console.access.Operator;
import io.angarium.console.access.Right;

/** Decides which alerts and silences an operator may see and change. */
final class AlertScope {
  private AlertScope() {}

  /**
   * Whether an operator has a right over a subject. An operator whose grants do not cover
   * everything has it only over destinations within them, never over the outbox or a node. A
   * subject may also be the pattern of a silence: a grant covers it only if it covers all that the
   * pattern fits, since a star in the text needs a star in the grant.
   */
  static boolean covers(Operator operator, Right right, String subject) {
    return operator.mayAll(right)
        || (isDestination(subject) && operator.mayDestination(right, subject));
  }

  /** Only a text with a transport is surely a destination, and not a node or the outbox. */
  private static boolean isDestination(String subject) {
    try {
      return !subject.equals(AlertKey.OUTBOX) && !Destination.parse(subject).transport().isEmpty();
    } catch (InvalidMessageException e) {
      return false;
    }
  }
}
