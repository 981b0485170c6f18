package io.angarium.store;

/** Something that always holds unless the product or its surroundings have a fault. */
public enum Invariant {
  /** A delete that names a message's id finds that message or none at the position. */
  EXACT_DELETE("exact-delete"),

  /** No row has a higher sequence than the database has given out. */
  SEQUENCE("sequence"),

  /** Every partition has a row in the lease table. */
  LEASE_ROW("lease-row"),

  /** Every unsent row is found by the usual reads, or waits for a known reason. */
  OVERDUE("overdue");

  private final String tag;

  Invariant(String tag) {
    this.tag = tag;
  }

  /** The name in meters and log lines. */
  public String tag() {
    return tag;
  }
}
