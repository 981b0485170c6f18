package io.angarium.alert;

import io.angarium.StoreException;
import io.angarium.testkit.alert.InMemoryAlerts;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Alerts in memory of a store that may fail. */
final class FaultyAlerts implements AlertStore {
  boolean away;
  boolean losesNotes;
  boolean losesTurn;
  int saves;
  private final InMemoryAlerts alerts;

  FaultyAlerts(InMemoryAlerts alerts) {
    this.alerts = alerts;
  }

  private void require(boolean there) {
    if (!there) {
      throw new StoreException("away", new IllegalStateException());
    }
  }

  @Override
  public @Nullable Turn begin(String node, Duration lease) {
    require(!away);
    return alerts.begin(node, lease);
  }

  @Override
  public void end(String node) {
    require(!away);
    alerts.end(node);
  }

  @Override
  public List<Alert> alerts() {
    return alerts.alerts();
  }

  @Override
  public Known known() {
    return alerts.known();
  }

  @Override
  public boolean save(Turn turn, Collection<Alert> changed, Collection<AlertKey> deleted) {
    saves++;
    return !losesTurn && alerts.save(turn, changed, deleted);
  }

  @Override
  public List<Told> told() {
    return alerts.told();
  }

  @Override
  public void note(Collection<Told> given) {
    require(!losesNotes);
    alerts.note(given);
  }

  @Override
  public List<Silence> silences() {
    return alerts.silences();
  }
}
