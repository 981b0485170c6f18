package io.angarium.tests.spring;

import io.angarium.Message;
import io.angarium.Outbox;
import org.springframework.transaction.annotation.Transactional;

/** Stores orders and tells of them, in one transaction. */
class Orders {
  private final OrderStore store;
  private final Outbox outbox;

  /** Writes an order, in whatever way. */
  interface OrderStore {
    void insert(long id);
  }

  Orders(OrderStore store, Outbox outbox) {
    this.store = store;
    this.outbox = outbox;
  }

  @Transactional
  public void place(long id) {
    outbox.send(Message.of("mailbox:orders", new byte[] {1}).key("order " + id));
    store.insert(id);
  }

  @Transactional
  public void placeAndFail(long id) {
    place(id);
    throw new IllegalStateException("planned");
  }
}
