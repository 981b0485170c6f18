package io.angarium.testkit.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.StoreException;
import io.angarium.desk.ActBy;
import io.angarium.reconciliation.Digest;
import io.angarium.reconciliation.Report;
import io.angarium.reconciliation.ReportKeys;
import io.angarium.reconciliation.ReportQuery;
import io.angarium.reconciliation.ReportShelf;
import io.angarium.reconciliation.StoredReport;
import io.angarium.reconciliation.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link ReportShelf} and {@link io.angarium.reconciliation.ReportDesk}. The test
 * class of an implementation implements it and gives a {@link ReportFixture}, one for each test.
 */
@Tag("contract")
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface ReportTck {
  /** Somebody who acts. */
  ActBy ADA = ActBy.of("ada", "the consumer had lost its queue", ActBy.Via.PAGE);

  /** Where the messages of tests go. */
  String ORDERS = "kafka:orders";

  /** The begin of the first window. */
  Instant NOON = Instant.parse("2026-11-29T12:00:00Z");

  /** The fixture of this test; the same at every call on one test instance. */
  ReportFixture fixture();

  /** The window of an hour. */
  private static Window hour(int number) {
    return new Window(NOON.plusSeconds(3_600L * number), NOON.plusSeconds(3_600L * (number + 1)));
  }

  private static Digest digest(int count) {
    Digest digest = Digest.NONE;
    for (int i = 0; i < count; i++) {
      digest = digest.plus("key " + i);
    }
    return digest;
  }

  private static Report agreeing(int hour) {
    return new Report(hour(hour), digest(5), digest(5), List.of(), List.of(), List.of(), true);
  }

  private static Report missing(int hour, List<String> keys) {
    return new Report(
        hour(hour), digest(keys.size() + 3), digest(3), keys, List.of(), List.of(), true);
  }

  private StoredReport kept(String task, Report report) {
    fixture().shelf().keep(task, ORDERS, report);
    return fixture().desk().page(new ReportQuery(task, false, null, 1)).get(0);
  }

  private ReportKeys keys(StoredReport report) {
    return fixture().desk().keys(report.id()).orElseThrow();
  }

  @Test
  default void reportIsReadAsItWasKept() {
    List<String> unexpected = List.of("u");
    List<String> repeated = List.of("r1", "r2");
    Report report =
        new Report(hour(0), digest(7), digest(8), List.of("m"), unexpected, repeated, true);

    StoredReport stored = kept("orders", report);

    assertThat(stored.task()).isEqualTo("orders");
    assertThat(stored.destination()).isEqualTo(ORDERS);
    assertThat(stored.window()).isEqualTo(hour(0));
    assertThat(stored.produced()).isEqualTo(7);
    assertThat(stored.consumed()).isEqualTo(8);
    assertThat(List.of(stored.missing(), stored.unexpected(), stored.repeated()))
        .containsExactly(1, 1, 2);
    assertThat(stored.agrees()).isFalse();
    assertThat(stored.repair()).isNull();
    assertThat(fixture().desk().find(stored.id())).contains(stored);
    assertThat(keys(stored)).isEqualTo(new ReportKeys(List.of("m"), unexpected, repeated, true));
    assertThat(fixture().desk().find(-1)).isEmpty();
    assertThat(fixture().desk().keys(-1)).isEmpty();
  }

  @Test
  default void hostileKeysAreReadAsTheyAre() {
    List<String> hostile =
        List.of("", "a\nb", "\\n", "\\", "c\r\nd", "-", "+x", "*", "'\";--%_", "订单", "😀", "\\0");
    Report report = new Report(hour(0), digest(2), digest(3), hostile, hostile, hostile, true);

    StoredReport stored = kept("x".repeat(100), report);

    assertThat(keys(stored)).isEqualTo(new ReportKeys(hostile, hostile, hostile, true));
    assertThat(stored.task()).hasSize(100);
  }

  @Test
  default void noMoreKeysAreKeptThanTheLimit() {
    List<String> many =
        IntStream.range(0, ReportKeys.KEPT_MAX).mapToObj(i -> new UUID(7, i).toString()).toList();
    StoredReport full = kept("full", missing(0, many));
    Report more = new Report(hour(0), digest(9), digest(8), many, List.of("u"), List.of("r"), true);

    StoredReport stored = kept("more", more);

    assertThat(keys(full)).isEqualTo(new ReportKeys(many, List.of(), List.of(), true));
    assertThat(stored.unexpected()).isEqualTo(1);
    assertThat(keys(stored)).isEqualTo(new ReportKeys(many, List.of(), List.of(), false));
  }

  @Test
  default void keysThatAreTooLongInAllAreNotKept() {
    String half = "k".repeat(ReportKeys.CHARACTERS_MAX / 2);

    StoredReport stored = kept("orders", missing(0, List.of(half, half, "x")));

    assertThat(keys(stored).missing()).containsExactly(half, half);
    assertThat(keys(stored).complete()).isFalse();
    assertThat(stored.missing()).isEqualTo(3);
  }

  @Test
  default void windowThatIsComparedAgainHasOneReport() {
    StoredReport first = kept("orders", missing(0, List.of("1")));

    StoredReport second = kept("orders", missing(0, List.of("1", "2")));

    assertThat(fixture().desk().page(ReportQuery.latest(10))).containsExactly(second);
    assertThat(second.id()).isEqualTo(first.id());
    assertThat(second.missing()).isEqualTo(2);
    assertThat(keys(second).missing()).containsExactly("1", "2");
  }

  @Test
  default void repairStaysNotedOnlyIfTheWindowAgreesNow() {
    StoredReport report = kept("orders", missing(0, List.of("1")));
    fixture().shelf().repaired("orders", hour(0), 1, "reconciliation", "by itself");

    StoredReport repaired = fixture().desk().find(report.id()).orElseThrow();
    StoredReport agreeing = kept("orders", agreeing(0));
    assertThat(keys(agreeing)).isEqualTo(ReportKeys.NONE);
    StoredReport differing = kept("orders", missing(0, List.of("1")));

    assertThat(repaired.open()).isFalse();
    assertThat(Objects.requireNonNull(repaired.repair()).sentAgain()).isEqualTo(1);
    assertThat(agreeing.agrees()).isTrue();
    assertThat(agreeing.repair()).isEqualTo(repaired.repair());
    assertThat(differing.open()).isTrue();
  }

  @Test
  default void repairOfAWindowThatAgreesIsNotNoted() {
    StoredReport report = kept("orders", agreeing(0));

    fixture().shelf().repaired("orders", hour(0), 1, "reconciliation", "by itself");
    fixture().shelf().repaired("others", hour(0), 1, "reconciliation", "by itself");

    assertThat(fixture().desk().find(report.id())).contains(report);
  }

  @Test
  default void pagesFollowOneAnotherAndNarrow() {
    List<StoredReport> all = new ArrayList<>();
    for (int hour = 0; hour < 4; hour++) {
      all.add(0, kept("orders", agreeing(hour)));
      all.add(0, kept("payments", missing(hour, List.of("1"))));
    }

    List<StoredReport> first = fixture().desk().page(ReportQuery.latest(3));
    List<StoredReport> rest =
        fixture().desk().page(new ReportQuery(null, false, first.get(2).id(), 200));

    assertThat(Stream.concat(first.stream(), rest.stream())).containsExactlyElementsOf(all);
    assertThat(fixture().desk().page(new ReportQuery("orders", false, null, 200)))
        .hasSize(4)
        .allMatch(StoredReport::agrees);
    assertThat(fixture().desk().page(new ReportQuery("orders", true, null, 200))).isEmpty();
    assertThat(fixture().desk().page(new ReportQuery(null, true, null, 200)))
        .hasSize(4)
        .noneMatch(StoredReport::agrees);
  }

  @Test
  default void latestOfEachTaskAreGiven() {
    StoredReport orders = kept("orders", agreeing(0));
    kept("payments", agreeing(0));
    StoredReport second = kept("payments", agreeing(1));
    StoredReport third = kept("payments", agreeing(2));

    assertThat(fixture().desk().latest(2)).containsExactly(orders, third, second);
    assertThatThrownBy(() -> fixture().desk().latest(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  default void openReportsDifferAndNothingWasDone() {
    kept("agrees", agreeing(0));
    kept("repaired", missing(0, List.of("1")));
    fixture().shelf().repaired("repaired", hour(0), 1, "reconciliation", "by itself");
    StoredReport settled = kept("settled", missing(0, List.of("1")));
    fixture().desk().settle(settled.id(), ADA);
    StoredReport old = kept("old", missing(0, List.of("1")));
    fixture().age(Duration.ofHours(2));
    StoredReport young = kept("young", missing(0, List.of("1")));

    assertThat(fixture().shelf().open(Duration.ofHours(1), 10)).containsExactly(young);
    assertThat(fixture().shelf().open(Duration.ofHours(3), 10).stream().map(StoredReport::id))
        .containsExactly(young.id(), old.id());
    assertThat(fixture().shelf().open(Duration.ofHours(3), 1)).containsExactly(young);
  }

  @Test
  default void agreeingReportsAreForgottenSoonerThanOthers() {
    StoredReport agrees = kept("orders", agreeing(0));
    StoredReport differs = kept("payments", missing(0, List.of("1")));

    fixture().age(ReportShelf.AGREEING_KEPT.minusHours(1));
    kept("orders", agreeing(1));
    assertThat(fixture().desk().find(agrees.id())).isPresent();
    fixture().age(Duration.ofHours(2));
    kept("orders", agreeing(1));
    assertThat(fixture().desk().find(agrees.id())).isEmpty();
    assertThat(fixture().desk().find(differs.id())).isPresent();
    fixture().age(ReportShelf.DIFFERING_KEPT);
    kept("orders", agreeing(1));
    assertThat(fixture().desk().find(differs.id())).isEmpty();
  }

  @Test
  default void missingMessagesAreSentAgainWithTheAudit() {
    List<String> ids = fixture().sent(ORDERS, 12);
    StoredReport report = kept("orders", missing(0, ids));

    StoredReport sent = fixture().desk().sendMissing(report.id(), ADA).orElseThrow();

    StoredReport.Repair repair = Objects.requireNonNull(sent.repair());
    assertThat(repair.sentAgain()).isEqualTo(12);
    assertThat(repair.by()).isEqualTo("ada");
    assertThat(repair.reason()).isEqualTo(ADA.decision().reason());
    assertThat(fixture().waiting()).containsExactlyInAnyOrderElementsOf(ids);
    assertThat(fixture().desk().find(report.id())).contains(sent);
    assertThat(fixture().audit())
        .singleElement()
        .satisfies(
            entry -> {
              assertThat(entry.act()).isEqualTo("sendMissing");
              assertThat(entry.targetKind()).isEqualTo("report");
              assertThat(entry.target()).isEqualTo(report.id() + " orders");
              assertThat(entry.details()).isEqualTo("missing 12, sent again 12");
              assertThat(entry.by().decision()).isEqualTo(ADA.decision());
              assertThat(entry.by().via()).isEqualTo(ActBy.Via.PAGE);
            });
  }

  @Test
  default void missingMessagesAreSentAgainOnce() {
    StoredReport report = kept("orders", missing(0, fixture().sent(ORDERS, 2)));
    fixture().desk().sendMissing(report.id(), ADA);

    assertThatThrownBy(() -> fixture().desk().sendMissing(report.id(), ADA))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("before");
    assertThatThrownBy(() -> fixture().desk().settle(report.id(), ADA))
        .isInstanceOf(IllegalStateException.class);

    assertThat(fixture().waiting()).hasSize(2);
    assertThat(fixture().audit()).hasSize(1);
  }

  @Test
  default void twoPersonsAtOnceSendOnce() {
    StoredReport report = kept("orders", missing(0, fixture().sent(ORDERS, 3)));

    List<CompletableFuture<Boolean>> both =
        Stream.of(ADA, ActBy.of("bob", "likewise", ActBy.Via.API))
            .map(
                by ->
                    CompletableFuture.supplyAsync(
                        () -> {
                          try {
                            return fixture().desk().sendMissing(report.id(), by).isPresent();
                          } catch (IllegalStateException e) {
                            return false;
                          }
                        }))
            .toList();

    assertThat(both.stream().map(CompletableFuture::join)).containsExactlyInAnyOrder(true, false);
    assertThat(fixture().waiting()).hasSize(3);
    assertThat(fixture().audit()).hasSize(1);
  }

  @Test
  default void whatIsNotInTheHistoryIsPassedOver() {
    List<String> ids = new ArrayList<>(fixture().sent(ORDERS, 2));
    ids.add("01a217cf-8c75-71ff-a812-818f3ab7c4af");

    StoredReport report = kept("orders", missing(0, ids));

    StoredReport sent = fixture().desk().sendMissing(report.id(), ADA).orElseThrow();
    assertThat(Objects.requireNonNull(sent.repair()).sentAgain()).isEqualTo(2);
  }

  @Test
  default void whatCannotBeSentAgainIsRefused() {
    StoredReport agrees = kept("orders", agreeing(0));
    Report unexpected =
        new Report(hour(1), digest(1), digest(2), List.of(), List.of("1"), List.of(), true);
    StoredReport nothingMissing = kept("orders", unexpected);
    fixture().shelf().keep("tables", null, missing(0, List.of("42")));
    StoredReport tables = fixture().desk().page(ReportQuery.latest(1)).get(0);

    for (StoredReport report : List.of(agrees, nothingMissing, tables)) {
      assertThatThrownBy(() -> fixture().desk().sendMissing(report.id(), ADA))
          .as(report.toString())
          .isInstanceOf(IllegalStateException.class);
    }

    assertThat(fixture().desk().sendMissing(-1, ADA)).isEmpty();
    assertThat(fixture().desk().settle(-1, ADA)).isEmpty();
    assertThatThrownBy(() -> fixture().desk().settle(agrees.id(), ADA))
        .isInstanceOf(IllegalStateException.class);
    assertThat(fixture().audit()).isEmpty();
    assertThat(fixture().desk().settle(tables.id(), ADA).orElseThrow().open()).isFalse();
    assertThat(fixture().audit()).hasSize(1);
  }

  @Test
  default void actWithoutItsAuditIsUndone() {
    StoredReport report = kept("orders", missing(0, fixture().sent(ORDERS, 2)));
    fixture().breakAudit();
    try {
      assertThatThrownBy(() -> fixture().desk().sendMissing(report.id(), ADA))
          .isInstanceOf(StoreException.class);
      assertThatThrownBy(() -> fixture().desk().settle(report.id(), ADA))
          .isInstanceOf(StoreException.class);
    } finally {
      fixture().mendAudit();
    }

    assertThat(fixture().waiting()).isEmpty();
    assertThat(fixture().desk().find(report.id())).contains(report);
  }
}
