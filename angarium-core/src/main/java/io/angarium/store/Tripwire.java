package io.angarium.store;

/** Takes reports of broken invariants. The relay implements it, stores call it. Thread-safe. */
@FunctionalInterface
public interface Tripwire {
  /** Ignores reports. */
  Tripwire NONE = (which, detail) -> {};

  /**
   * Reports a broken invariant. Does not block.
   *
   * @param detail what was found, what happens next, and what a person does about it
   */
  void broken(Invariant which, String detail);
}
