package io.angarium.messagecentre.ledger;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Service;

/** The books. Does not look for repeats itself, and its table has no unique key. Thread-safe. */
@Service
class Ledger {
  private final JdbcClient jdbc;

  Ledger(JdbcClient jdbc) {
    this.jdbc = jdbc;
  }

  /** For the comparison at the end: repeats are noted as well. */
  void noteDelivery(String id) {
    jdbc.sql("INSERT INTO delivery (message_id) VALUES (?)").param(id).update();
  }

  /** Called in the transaction of the inbox. */
  boolean book(String type, long order) {
    jdbc.sql("INSERT INTO entry (type, order_id) VALUES (?, ?)").params(type, order).update();
    return true;
  }

  /** Type and order of each entry, e.g. {@code order-paid 7}. */
  List<String> entries() {
    return jdbc.sql("SELECT type || ' ' || order_id FROM entry ORDER BY id")
        .query(String.class)
        .list();
  }
}
