package io.angarium.benchmarks.raw;

import org.jspecify.annotations.Nullable;

/** A row of the outbox, and where it lies if the database says so. Immutable. */
final class RawRow {
  private final long id;
  private final String place;
  private final @Nullable String key;
  private final byte[] payload;

  RawRow(long id, String place, @Nullable String key, byte[] payload) {
    this.id = id;
    this.place = place;
    this.key = key;
    this.payload = payload;
  }

  long id() {
    return id;
  }

  /** The {@code ctid} of PostgreSQL; empty on other databases. */
  String place() {
    return place;
  }

  @Nullable String key() {
    return key;
  }

  byte[] payload() {
    return payload;
  }
}
