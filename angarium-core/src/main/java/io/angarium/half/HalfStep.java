package io.angarium.half;

/** What can happen to a half message; {@link HalfState#after} says when it may. */
public enum HalfStep {
  /** Its message is stored. */
  PREPARE,
  /** It is to be sent. */
  COMMIT,
  /** It is to be sent; the decision is remembered if there is nothing to commit yet. */
  COMMIT_OR_REMEMBER,
  /** It is to be dropped. */
  ROLLBACK,
  /** It is to be dropped; the decision is remembered if there is nothing to roll back yet. */
  ROLLBACK_OR_REMEMBER,
  /** Nobody could say what became of it, and the limit of questions is used up. */
  GIVE_UP,
  /** A person has it asked for again. */
  RESUME;

  /** Whether it lets a message be sent. */
  public boolean isCommit() {
    return this == COMMIT || this == COMMIT_OR_REMEMBER;
  }
}
