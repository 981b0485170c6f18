package io.angarium.intake;

import java.time.Duration;

/**
 * Where committed messages are handed to the relay of the same process, so that they are sent at
 * once. A hint only: losing one costs time, never a message. Never blocks, never throws;
 * thread-safe.
 */
public interface Handover {
  /** No relay in this process: messages wait for a relay elsewhere. */
  Handover NONE =
      new Handover() {
        @Override
        public void committed(CommittedMessages written, Duration sinceWritten) {
          // nobody to tell
        }

        @Override
        public int keylessPartition(Partitioning partitioning, long random) {
          return partitioning.ofKeyless(random);
        }
      };

  /**
   * Tells of messages whose transaction has committed.
   *
   * @param written what it wrote
   * @param sinceWritten at least the time since the first of them was inserted, by a monotonic
   *     clock; when it is long, the owner of a keyless message may be sending it already, and it is
   *     left to the owner
   */
  void committed(CommittedMessages written, Duration sinceWritten);

  /**
   * Chooses the partition of a keyless message, by preference one that this process relays itself.
   *
   * @param random any number, to spread the choice
   */
  int keylessPartition(Partitioning partitioning, long random);
}
