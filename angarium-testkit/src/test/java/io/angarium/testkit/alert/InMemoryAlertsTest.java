package io.angarium.testkit.alert;

import io.angarium.alert.AlertDesk;
import io.angarium.alert.AlertStore;
import io.angarium.alert.Silence;
import io.angarium.desk.AuditEntry;
import io.angarium.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

class InMemoryAlertsTest implements AlertTck {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-29T02:00:00Z"));
  private final InMemoryAlerts alerts = new InMemoryAlerts(clock);

  private final AlertFixture fixture =
      new AlertFixture() {
        @Override
        public AlertStore store() {
          return alerts;
        }

        @Override
        public AlertDesk desk() {
          return alerts;
        }

        @Override
        public List<AuditEntry> audit() {
          return alerts.audit();
        }

        @Override
        public void pass(Duration time) {
          clock.advance(time);
        }

        @Override
        public void endSilences() {
          clock.advance(Silence.MAX);
        }

        @Override
        public void breakAudit() {
          alerts.breakAudit(true);
        }

        @Override
        public void mendAudit() {
          alerts.breakAudit(false);
        }
      };

  @Override
  public AlertFixture fixture() {
    return fixture;
  }
}
