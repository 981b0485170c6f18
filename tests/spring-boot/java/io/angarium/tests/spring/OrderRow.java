package io.angarium.tests.spring;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** An order as JPA sees it. */
@Entity
@Table(name = "orders")
class OrderRow {
  @Id private long id;

  @Column(nullable = false)
  private String state = "new";

  OrderRow() {}

  OrderRow(long id) {
    this.id = id;
  }

  long id() {
    return id;
  }

  void state(String state) {
    this.state = state;
  }
}
