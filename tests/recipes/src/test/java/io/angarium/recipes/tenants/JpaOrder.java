package io.angarium.recipes.tenants;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;

/** An order in the schema of its tenant. */
@Entity
@Table(name = "orders")
class JpaOrder {
  @Id private String id = "";

  JpaOrder() {}

  JpaOrder(String id) {
    this.id = id;
  }

  String id() {
    return id;
  }
}
