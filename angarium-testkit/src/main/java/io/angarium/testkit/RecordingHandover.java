package io.angarium.testkit;

import io.angarium.Handover;
import io.angarium.Partitioning;
import io.angarium.store.Written;
import java.time.Duration;
import java.util.List;

/**
 * Remembers what it is told. As thread-safe as its list.
 *
 * @param told a list that grows
 */
public record RecordingHandover(List<Written> told) implements Handover {
  @Override
  public void committed(Written written, Duration sinceWritten) {
    told.add(written);
  }

  @Override
  public int keylessPartition(Partitioning partitioning, long random) {
    return partitioning.ofKeyless(random);
  }
}
