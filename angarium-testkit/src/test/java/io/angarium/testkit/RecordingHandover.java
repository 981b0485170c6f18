package io.angarium.testkit;

import io.angarium.Handover;
import io.angarium.Partitioning;
import io.angarium.store.StoredMessage;
import java.time.Duration;
import java.util.List;

/** Remembers what it is told. */
record RecordingHandover(List<StoredMessage> told) implements Handover {
  @Override
  public void committed(List<StoredMessage> messages, Duration sinceWritten) {
    told.addAll(messages);
  }

  @Override
  public int keylessPartition(Partitioning partitioning, long random) {
    return partitioning.ofKeyless(random);
  }
}
