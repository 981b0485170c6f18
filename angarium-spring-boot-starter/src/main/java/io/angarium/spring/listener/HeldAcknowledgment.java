package io.angarium.spring.listener;

/** An acknowledgement that a listener makes by itself, kept back until its transaction is over. */
interface HeldAcknowledgment {
  /** What the listener is given. */
  Object argument();

  /** The transaction has committed: what the listener acknowledged is. */
  void release();

  /** The listener was not called, as nothing was new. */
  void repeated();
}
