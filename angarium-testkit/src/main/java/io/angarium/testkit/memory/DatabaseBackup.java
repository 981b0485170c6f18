package io.angarium.testkit.memory;

/**
 * What an {@link InMemoryDatabase} held at one moment: committed rows, sequences, numbers of
 * transactions, leases. Immutable; may be brought back any number of times.
 */
public final class DatabaseBackup {
  final Storage.Copy copy;

  DatabaseBackup(Storage.Copy copy) {
    this.copy = copy;
  }
}
