package io.angarium.transport;

import org.jspecify.annotations.Nullable;

/** What became of one attempt. Immutable. */
public sealed interface SendResult {
  /** The broker has it for good. */
  SendResult ACKNOWLEDGED = new Acknowledged();

  /** The broker has it for good. */
  record Acknowledged() implements SendResult {}

  /**
   * This message failed, perhaps after it was stored; trying again may help. Costs an attempt.
   *
   * @param reason for a person: what failed and what may help
   */
  record Failed(String reason, @Nullable Throwable cause) implements SendResult {}

  /**
   * The broker will never take this message. It becomes a dead letter at once.
   *
   * @param reason for a person: what is wrong and what to do before a requeue
   */
  record Refused(String reason, @Nullable Throwable cause) implements SendResult {}

  /**
   * The destination is down; the message, perhaps stored, is not to blame. Costs no attempt, opens
   * the circuit of the destination.
   *
   * @param reason for a person: which broker or topic cannot be reached
   */
  record Unavailable(String reason, @Nullable Throwable cause) implements SendResult {}
}
