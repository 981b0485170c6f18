package io.angarium.testkit.memory;

import io.angarium.BusinessKey;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.NoTransactionException;
import io.angarium.Outbox;
import io.angarium.StoreException;
import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.NewMessage;
import io.angarium.intake.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * An open transaction of an {@link InMemoryDatabase}. Several may be open at once, in one thread or
 * many; none sees what another has not committed. Closing an open one rolls it back. Not
 * thread-safe: one thread at a time.
 */
public final class Tx implements AutoCloseable {
  private final Storage storage;
  private final StoreFaults faults;
  private final MessageIntake intake;
  private final Handover handover;
  private final List<StoredMessage> rows = new ArrayList<>();
  private final int life;
  private long firstWrittenNanos;
  private long xid;
  private boolean ended;

  Tx(Storage storage, StoreFaults faults, MessageIntake intake, Handover handover) {
    this.storage = storage;
    this.faults = faults;
    this.intake = intake;
    this.handover = handover;
    synchronized (storage) {
      this.life = storage.life();
    }
  }

  /** The outbox of this transaction. Writes each message at once, when it is sent. */
  public Outbox outbox() {
    return new Outbox() {
      @Override
      public MessageId send(Message message) {
        return sendAll(List.of(message)).get(0);
      }

      @Override
      public List<MessageId> sendAll(List<Message> messages) {
        requireOpen();
        List<NewMessage> accepted =
            messages.stream().map(message -> intake.accept(message, handover)).toList();
        insert(accepted);
        return accepted.stream().map(NewMessage::id).toList();
      }
    };
  }

  /**
   * Writes something of the business: the transaction gets its number now, before any message.
   *
   * @throws NoTransactionException if the transaction has ended
   */
  public Tx write() {
    synchronized (storage) {
      requireOpen();
      xid();
    }
    return this;
  }

  /**
   * Writes checked messages in their order, all or none.
   *
   * @throws NoTransactionException if the transaction has ended
   * @throws io.angarium.DuplicateBusinessKeyException if one demands a business key that is taken
   */
  public void insert(List<NewMessage> messages) {
    synchronized (storage) {
      requireOpen();
      List<NewMessage> wanted = claimBusinessKeys(messages);
      if (!wanted.isEmpty()) {
        xid(); // the number comes before the sequence, as in the tables of PostgreSQL
      }
      if (rows.isEmpty()) {
        firstWrittenNanos = storage.clock.nanoTime();
      }
      wanted.forEach(message -> rows.add(storage.place(message)));
    }
  }

  /**
   * Commits and hands the messages over to the relay, if there is one.
   *
   * @throws NoTransactionException if the transaction has ended
   * @throws io.angarium.StoreException as planned with {@link StoreFaults}; if nothing was done,
   *     the transaction is rolled back
   */
  public void commit() {
    requireOpen();
    try {
      faults.strike(StoreCall.COMMIT, this::commitRows);
    } finally {
      rollback();
    }
    List<StoredMessage> immediate =
        rows.stream().filter(row -> row.message().notBefore() == null).toList();
    if (!rows.isEmpty()) {
      long sinceWritten = storage.clock.nanoTime() - firstWrittenNanos;
      CommittedMessages written =
          CommittedMessages.of(immediate, storage.source).delayed(immediate.size() < rows.size());
      handover.committed(written, Duration.ofNanos(sinceWritten));
    }
  }

  /** Rolls back; does nothing if the transaction has ended. Sequences it took are lost. */
  public void rollback() {
    synchronized (storage) {
      if (!ended) {
        ended = true;
        storage.businessKeys.rolledBack(this);
        if (xid > 0 && life == storage.life()) {
          storage.log.end(xid);
        }
      }
    }
  }

  /** Rolls back, unless the transaction has ended. */
  @Override
  public void close() {
    rollback();
  }

  private boolean commitRows() {
    synchronized (storage) {
      requireOpen();
      ended = true;
      storage.businessKeys.committed(this);
      if (xid > 0) {
        storage.commit(xid, rows);
      }
    }
    return true;
  }

  private List<NewMessage> claimBusinessKeys(List<NewMessage> messages) {
    List<NewMessage> wanted = new ArrayList<>();
    try {
      for (NewMessage message : messages) {
        BusinessKey business = message.message().business();
        if (business == null || storage.businessKeys.claim(business, this)) {
          wanted.add(message);
        }
      }
    } catch (RuntimeException e) {
      unclaim(wanted);
      throw e;
    }
    return wanted;
  }

  private void unclaim(List<NewMessage> messages) {
    for (NewMessage message : messages) {
      BusinessKey business = message.message().business();
      if (business != null && business.uniqueness() != BusinessKey.Uniqueness.NONE) {
        storage.businessKeys.unclaim(business);
      }
    }
  }

  private void xid() {
    if (xid == 0) {
      xid = storage.log.start();
    }
  }

  private void requireOpen() {
    if (ended) {
      throw new NoTransactionException(
          "The transaction has ended; nothing was written. Begin another one.");
    }
    synchronized (storage) {
      if (life != storage.life()) {
        throw new StoreException("The connection is lost; nothing was committed", null);
      }
    }
  }
}
