package io.angarium.crash;

/** Where a producer of half messages stops on its way, to be killed or to go on later. */
enum ProducerPoint {
  /** Nowhere by itself. */
  NOWHERE,
  /** The half message is not prepared. */
  BEFORE_PREPARE,
  /** The half message is prepared, its business transaction not begun. */
  AFTER_PREPARE,
  /** The order is written, its business transaction not committed. */
  IN_TRANSACTION,
  /** The business transaction is committed, the half message not yet. */
  AFTER_TRANSACTION,
  /** The centre has answered that the half message is committed. */
  AFTER_COMMIT,
  /** The centre asks what became of half messages, and has no answer yet. */
  ASKED
}
