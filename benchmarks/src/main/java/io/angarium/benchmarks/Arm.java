package io.angarium.benchmarks;

/** One way of doing the same work. Not thread-safe: one thread at a time. */
interface Arm extends AutoCloseable {
  /** Shown in the table. */
  String name();

  /** Commits the messages of a workload into a fresh outbox, for a topic. */
  void fill(Workload workload, String topic) throws Exception;

  /** Sends everything to the topic; returns when all is acknowledged and no row is left. */
  void drain(int messages) throws Exception;

  /** Rows that are still in the outbox. */
  long left() throws Exception;

  @Override
  void close();
}
