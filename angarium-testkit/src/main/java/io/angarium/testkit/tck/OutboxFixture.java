package io.angarium.testkit.tck;

import io.angarium.MessageId;
import io.angarium.Outbox;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Partitioning;
import io.angarium.store.OutboxStore;
import io.angarium.store.ReadLimit;
import io.angarium.store.SequenceRange;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** One way into an outbox under test. The suite closes it after the test. */
public interface OutboxFixture extends AutoCloseable {
  /** What work does in its transaction. */
  interface Transaction {
    /** Sends in this transaction. */
    Outbox outbox();

    /** Writes a line of the business. */
    void write(String line);

    /** Sets a savepoint. */
    Object savepoint();

    /** Rolls back to a savepoint. */
    void rollBackTo(Object savepoint);

    /** Lets a statement fail, e.g. by a key that is taken, and swallows the error. */
    void swallowError();

    /**
     * Lets the database roll the transaction back as the victim of a deadlock, and swallows the
     * error. Where that never happens, as {@link #swallowError}.
     */
    void swallowDeadlock();
  }

  /** Work in a transaction. */
  @FunctionalInterface
  interface Work {
    /**
     * Does it.
     *
     * @throws Exception to roll back
     */
    void in(Transaction transaction) throws Exception;
  }

  /**
   * Runs work in a transaction, commits it and has its messages handed over.
   *
   * @throws Exception what the work threw, or if the transaction did not commit
   */
  void run(Work work) throws Exception;

  /**
   * Whether the transaction is watched from its beginning to its commit. Where it is not, a message
   * that is sent after a deadlock belongs to the transaction that has begun since, and who commits
   * may be told of a success by the driver.
   */
  default boolean watchesAll() {
    return true;
  }

  /**
   * Whether the outbox commits. Where a framework or the application does, a transaction in which
   * nothing was sent is theirs, and so is whatever the driver tells them of its commit.
   */
  default boolean commits() {
    return watchesAll();
  }

  /** The lines of transactions that have committed. */
  List<String> lines();

  /** What a relay sends now: rows that are there, and what was handed over to be sent unread. */
  default List<MessageId> sent() {
    Set<MessageId> sent = new LinkedHashSet<>();
    handedOver().forEach(written -> written.keyless().forEach(row -> sent.add(row.id())));
    List<SequenceRange> all =
        Arrays.stream(Partitioning.DEFAULTS.all())
            .mapToObj(p -> SequenceRange.after(p, 0))
            .toList();
    store().read(all, ReadLimit.rows(1_000)).rows().forEach(row -> sent.add(row.id()));
    return List.copyOf(sent);
  }

  /** The store of a relay of this outbox; the same at every call. */
  OutboxStore store();

  /** What was handed over to the relay until now. */
  List<CommittedMessages> handedOver();

  /** Frees what the fixture holds. */
  @Override
  void close();
}
