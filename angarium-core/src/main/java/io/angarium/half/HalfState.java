package io.angarium.half;

import static io.angarium.half.Refusal.ALREADY_COMMITTED;
import static io.angarium.half.Refusal.ALREADY_ROLLED_BACK;

import org.jspecify.annotations.Nullable;

/**
 * What a half message has come to. {@link #after} is the one table of what may follow what:
 *
 * <pre>{@code
 *             PREPARE      COMMIT     ROLLBACK     GIVE_UP     RESUME
 * UNKNOWN     PREPARED     -          -            -           -
 * PREPARED    stays        COMMITTED  ROLLED_BACK  UNRESOLVED  stays
 * UNRESOLVED  stays        COMMITTED  ROLLED_BACK  stays       PREPARED
 * COMMITTED   stays        stays      -            -           -
 * ROLLED_BACK -            -          stays        -           -
 * }</pre>
 *
 * A decision that may come before its message is remembered where nothing is known, and the message
 * takes it when it comes.
 */
public enum HalfState {
  /** Nothing is known of this key. */
  UNKNOWN(null),
  /** Stored and not decided: nobody receives it. */
  PREPARED(null),
  /** Not decided, and nobody could say what became of it: a person decides. */
  UNRESOLVED(null),
  /** To be committed as soon as it is prepared. */
  COMMIT_REMEMBERED(ALREADY_COMMITTED),
  /** To be rolled back as soon as it is prepared. */
  ROLLBACK_REMEMBERED(ALREADY_ROLLED_BACK),
  /** To be delivered like every other message of the outbox. Final. */
  COMMITTED(ALREADY_COMMITTED),
  /** Dropped: nobody ever receives it. Final. */
  ROLLED_BACK(ALREADY_ROLLED_BACK);

  private final @Nullable Refusal decided;

  HalfState(@Nullable Refusal decided) {
    this.decided = decided;
  }

  /**
   * What a step leads to.
   *
   * @param state afterwards; the one before if the step changes nothing
   * @param refusal what the caller is told; null if the step is legal
   */
  public record Transition(HalfState state, @Nullable Refusal refusal) {}

  /** True if it can never change again. */
  public boolean isFinal() {
    return this == COMMITTED || this == ROLLED_BACK;
  }

  /** True if it is a decision whose message has not come yet. */
  public boolean isRemembered() {
    return this == COMMIT_REMEMBERED || this == ROLLBACK_REMEMBERED;
  }

  /** True if a message is stored that awaits a decision. */
  public boolean isOpen() {
    return this == PREPARED || this == UNRESOLVED;
  }

  /** What a step leads to from here. */
  public Transition after(HalfStep step) {
    return switch (step) {
      case PREPARE -> afterPrepare();
      case COMMIT, COMMIT_OR_REMEMBER -> decided(step, COMMITTED);
      case ROLLBACK, ROLLBACK_OR_REMEMBER -> decided(step, ROLLED_BACK);
      case GIVE_UP -> whileOpen(UNRESOLVED);
      case RESUME -> whileOpen(PREPARED);
    };
  }

  /**
   * Accepts a prepare unless a rollback came before it. After a prepare the producer goes on with
   * its own work, which it must not do if the message can no longer be committed.
   */
  private Transition afterPrepare() {
    return switch (this) {
      case UNKNOWN -> to(PREPARED);
      case PREPARED, UNRESOLVED, COMMITTED -> to(this);
      case COMMIT_REMEMBERED -> to(COMMITTED);
      case ROLLBACK_REMEMBERED, ROLLED_BACK -> new Transition(ROLLED_BACK, ALREADY_ROLLED_BACK);
    };
  }

  private Transition decided(HalfStep step, HalfState decision) {
    return switch (this) {
      case UNKNOWN -> unknown(step);
      case PREPARED, UNRESOLVED -> to(decision);
      default -> decided == decision.decided ? to(this) : new Transition(this, decided);
    };
  }

  private Transition unknown(HalfStep step) {
    return switch (step) {
      case COMMIT_OR_REMEMBER -> to(COMMIT_REMEMBERED);
      case ROLLBACK_OR_REMEMBER -> to(ROLLBACK_REMEMBERED);
      default -> new Transition(this, Refusal.UNKNOWN);
    };
  }

  private Transition whileOpen(HalfState next) {
    if (isOpen()) {
      return to(next);
    }
    return new Transition(this, decided == null ? Refusal.UNKNOWN : decided);
  }

  private static Transition to(HalfState state) {
    return new Transition(state, null);
  }
}
