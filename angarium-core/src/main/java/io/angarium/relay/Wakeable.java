package io.angarium.relay;

import java.util.Collection;

/**
 * Takes hints that other processes may have committed messages. Whatever learns of commits can give
 * them: the log of the database, or one question about many outboxes. A false hint costs a read, a
 * lost one a poll, never a message. No method blocks; thread-safe.
 */
public interface Wakeable {
  /** Hints that messages may be in any partition. */
  void wake();

  /**
   * Hints that messages may be in some partitions. A partition that this node does not relay is
   * passed over.
   *
   * @param partitions any number of them, in any order; may be empty
   */
  void wake(Collection<Integer> partitions);
}
