package io.angarium.testkit;

import io.angarium.intake.CommittedMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.Partitioning;
import java.time.Duration;
import java.util.List;

/**
 * Remembers what it is told. As thread-safe as its list.
 *
 * @param told a list that grows
 */
public record RecordingHandover(List<CommittedMessages> told) implements Handover {
  @Override
  public void committed(CommittedMessages written, Duration sinceWritten) {
    told.add(written);
  }

  @Override
  public int keylessPartition(Partitioning partitioning, long random) {
    return partitioning.ofKeyless(random);
  }
}
