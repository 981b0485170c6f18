package io.angarium.alert;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.alert.Notice.Kind;
import io.angarium.confirmation.ConfirmationDesk.Unconfirmed;
import io.angarium.reconciliation.StoredReport;
import io.angarium.reconciliation.Window;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.alert.InMemoryAlerts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** Both rules in an engine: they fire, hold and resolve. */
class ConsumerRulesTest {
  private static final Instant NOW = Instant.parse("2026-11-29T12:00:00Z");

  private final ManualClock clock = new ManualClock(NOW);
  private final InMemoryAlerts store = new InMemoryAlerts(clock);
  private final List<Notice> told = new CopyOnWriteArrayList<>();
  private List<Unconfirmed> unconfirmed = List.of();
  private List<StoredReport> reports = List.of();

  private final class Pager implements AlertChannel {
    @Override
    public String name() {
      return "pager";
    }

    @Override
    public void send(Notices notices) {
      told.addAll(notices.list());
    }
  }

  private final AlertEngine engine =
      AlertEngine.builder(
              store, () -> StandardRulesTest.healthy().ofConsumers(unconfirmed, reports))
          .node("a")
          .route(AlertRoute.all(new Pager()))
          .build();

  private void after(Duration time) {
    clock.advance(time);
    engine.runOnce();
  }

  private List<String> kinds() {
    return told.stream()
        .map(each -> each.kind() + " " + each.alert().key().rule() + " " + subject(each))
        .toList();
  }

  private static String subject(Notice notice) {
    return notice.alert().key().subject();
  }

  @Test
  void consumersThatDoNotConfirmAreToldAfterFiveMinutesAndWhenTheyDo() {
    unconfirmed = List.of(new Unconfirmed("kafka:orders", 3, NOW, 1, 0, 2, NOW, 0));
    engine.runOnce();
    after(Duration.ofMinutes(5).minusMillis(1));
    assertThat(kinds()).isEmpty();

    after(Duration.ofMillis(1));
    assertThat(kinds()).containsExactly(Kind.FIRING + " unconfirmed kafka:orders");

    unconfirmed = List.of();
    after(Duration.ofMinutes(1));
    after(Duration.ofMinutes(4));
    assertThat(kinds()).hasSize(1);
    after(Duration.ofMinutes(1));
    assertThat(kinds())
        .containsExactly(
            Kind.FIRING + " unconfirmed kafka:orders", Kind.RESOLVED + " unconfirmed kafka:orders");
  }

  @Test
  void consumersThatConfirmInTimeAreNotTold() {
    unconfirmed = List.of(new Unconfirmed("kafka:orders", 3, NOW, 1, 0, 2, NOW, 0));
    engine.runOnce();
    unconfirmed = List.of();

    after(Duration.ofMinutes(4));
    after(Duration.ofMinutes(4));

    assertThat(kinds()).isEmpty();
  }

  @Test
  void reportThatDiffersIsToldAtOnceAndWhenItIsRepaired() {
    Window window = new Window(NOW.minusSeconds(3_600), NOW);
    reports =
        List.of(
            new StoredReport(
                1, "orders", "kafka:orders", window, NOW, 40, 28, 12, 0, 0, false, null));

    engine.runOnce();

    assertThat(kinds()).containsExactly(Kind.FIRING + " reconciliation orders");
    assertThat(told.get(0).alert().text()).contains("12 missing");
    assertThat(told.get(0).alert().severity()).isEqualTo(Severity.CRITICAL);
    after(Duration.ofMinutes(30));
    assertThat(kinds()).hasSize(1);
    reports = List.of();
    after(Duration.ofSeconds(15));
    after(Duration.ofMinutes(1));
    assertThat(kinds())
        .containsExactly(
            Kind.FIRING + " reconciliation orders", Kind.RESOLVED + " reconciliation orders");
  }
}
