package io.angarium.jdbc.internal.desk.stage;

/** How much of each row is read. */
public enum StageColumns {
  /** Everything but payload and headers. */
  ALL,
  /** Place, id, destination, times and error, as for counting. */
  FEW
}
