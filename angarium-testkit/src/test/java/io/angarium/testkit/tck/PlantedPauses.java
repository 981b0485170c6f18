package io.angarium.testkit.tck;

import io.angarium.desk.ActBy;
import io.angarium.desk.DestinationPause;
import io.angarium.desk.PauseDesk;
import java.time.Duration;
import java.util.List;

/** Pauses that pass everything on; a mutant changes one thing. */
class PlantedPauses implements PauseDesk {
  private final PauseDesk real;

  PlantedPauses(PauseDesk real) {
    this.real = real;
  }

  @Override
  public List<DestinationPause> pauses() {
    return real.pauses();
  }

  @Override
  public DestinationPause pause(String destinations, Duration length, ActBy by) {
    return real.pause(destinations, length, by);
  }

  @Override
  public boolean resume(long pause, ActBy by) {
    return real.resume(pause, by);
  }
}
