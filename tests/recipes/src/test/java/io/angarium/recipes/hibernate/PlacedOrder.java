package io.angarium.recipes.hibernate;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** An order. */
@Entity
@Table(name = "orders")
class PlacedOrder {
  @Id private String id = "";

  PlacedOrder() {}

  PlacedOrder(String id) {
    this.id = id;
  }

  String id() {
    return id;
  }
}
