package io.angarium.testkit.report;

import io.angarium.desk.AuditEntry;
import io.angarium.reconciliation.ReportDesk;
import io.angarium.reconciliation.ReportShelf;
import io.angarium.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

class InMemoryReportsTest implements ReportTck {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-29T12:30:00Z"));
  private final Set<String> history = new HashSet<>();
  private final List<String> waiting = new ArrayList<>();
  private final InMemoryReports reports = new InMemoryReports(clock, this::send);

  private int send(List<String> ids) {
    List<String> known = ids.stream().filter(history::contains).toList();
    waiting.addAll(known);
    return known.size();
  }

  private final ReportFixture fixture =
      new ReportFixture() {
        @Override
        public ReportShelf shelf() {
          return reports;
        }

        @Override
        public ReportDesk desk() {
          return reports;
        }

        @Override
        public List<AuditEntry> audit() {
          return reports.audit();
        }

        @Override
        public List<String> sent(String destination, int count) {
          List<String> ids = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            ids.add(UUID.randomUUID().toString());
          }
          history.addAll(ids);
          return ids;
        }

        @Override
        public List<String> waiting() {
          return List.copyOf(waiting);
        }

        @Override
        public void age(Duration time) {
          clock.advance(time);
        }

        @Override
        public void breakAudit() {
          reports.breakAudit(true);
        }

        @Override
        public void mendAudit() {
          reports.breakAudit(false);
        }
      };

  @Override
  public ReportFixture fixture() {
    return fixture;
  }
}
