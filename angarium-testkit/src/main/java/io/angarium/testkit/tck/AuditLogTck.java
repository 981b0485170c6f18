package io.angarium.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.deadletter.Decision;
import io.angarium.desk.ActBy;
import io.angarium.desk.AuditEntry;
import io.angarium.desk.AuditLog;
import io.angarium.desk.AuditQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of {@link AuditLog}. Part of {@link DeskActsTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface AuditLogTck extends DeskFixtureTck {

  @Test
  default void emptyAuditHasNoEntries() {
    assertThat(fixture().desk().audit().page(AuditQuery.newest(AuditQuery.LIMIT_MAX))).isEmpty();
  }

  @Test
  default void entryIsReadAsItWasNotedWithItsNumberAndTheTimeOfTheDatabase() {
    AuditLog audit = fixture().desk().audit();
    List<AuditEntry> noted = new ArrayList<>();
    for (ActBy.Via via : ActBy.Via.values()) {
      Decision decision = new Decision("Ann Käse 世界", "ticket 4711: 'why' \\ 😀");
      noted.add(entry(new ActBy(decision, via, new UUID(-1, 7)), "payload", "message", "id", "{}"));
      noted.add(entry(new ActBy(decision, via, null), "pause", "destination", "fake:x", null));
    }
    Instant before = fixture().now();

    noted.forEach(audit::note);

    List<AuditEntry> read = oldestFirst(audit.page(AuditQuery.newest(AuditQuery.LIMIT_MAX)));
    assertThat(read)
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("id", "at")
        .isEqualTo(noted);
    assertThat(read).extracting(AuditEntry::id).doesNotHaveDuplicates();
    assertThat(read)
        .allSatisfy(
            entry -> {
              assertThat(entry.id()).isPositive();
              assertThat(entry.at()).isBetween(before, fixture().now());
            });
  }

  private static AuditEntry entry(
      ActBy by, String act, String targetKind, String target, @Nullable String details) {
    return AuditEntry.of(by, act, targetKind, target, details);
  }

  private static List<AuditEntry> oldestFirst(List<AuditEntry> newestFirst) {
    List<AuditEntry> reversed = new ArrayList<>(newestFirst);
    Collections.reverse(reversed);
    return reversed;
  }

  @Test
  default void longestTextsAreKept() {
    AuditLog audit = fixture().desk().audit();
    AuditEntry longest =
        AuditEntry.of(
            ActBy.of(
                "世".repeat(Decision.BY_LENGTH_MAX),
                "界".repeat(Decision.REASON_LENGTH_MAX),
                ActBy.Via.PAGE),
            "a".repeat(AuditEntry.WORD_LENGTH_MAX),
            "k".repeat(AuditEntry.WORD_LENGTH_MAX),
            "世".repeat(AuditEntry.TARGET_LENGTH_MAX),
            "界".repeat(AuditEntry.DETAILS_LENGTH_MAX));

    audit.note(longest);

    assertThat(audit.page(AuditQuery.newest(1)))
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("id", "at")
        .containsExactly(longest);
  }

  @Test
  default void pagesGoThroughAllEntriesNewestFirst() {
    AuditLog audit = fixture().desk().audit();
    IntStream.range(0, 7).forEach(i -> audit.note(by("ann", "requeue", "message", "m" + i)));

    List<AuditEntry> first = audit.page(AuditQuery.newest(3));
    List<AuditEntry> second = audit.page(before(first.get(2)));
    audit.note(by("ann", "requeue", "message", "later"));
    List<AuditEntry> third = audit.page(before(second.get(2)));

    assertThat(targets(first)).containsExactly("m6", "m5", "m4");
    assertThat(targets(second)).containsExactly("m3", "m2", "m1");
    assertThat(targets(third)).containsExactly("m0");
    assertThat(audit.page(before(third.get(0)))).isEmpty();
  }

  private static AuditEntry by(String who, String act, String targetKind, String target) {
    return AuditEntry.of(ActBy.of(who, "why", ActBy.Via.API), act, targetKind, target, null);
  }

  private static AuditQuery before(AuditEntry entry) {
    return new AuditQuery(null, null, null, null, null, null, entry.id(), 3);
  }

  private static List<String> targets(List<AuditEntry> entries) {
    return entries.stream().map(AuditEntry::target).toList();
  }

  @Test
  default void everyPartOfAQueryNarrows() {
    AuditLog audit = fixture().desk().audit();
    audit.note(by("ann", "requeue", "message", "1"));
    audit.note(by("bob", "requeue", "message", "2"));
    audit.note(by("ann", "pause", "destination", "2"));
    audit.note(by("Ann", "requeue", "message", "3"));

    assertThat(targets(audit.page(query("ann", null, null, null)))).containsExactly("2", "1");
    assertThat(targets(audit.page(query(null, "requeue", null, null))))
        .containsExactly("3", "2", "1");
    assertThat(targets(audit.page(query(null, null, "destination", null)))).containsExactly("2");
    assertThat(targets(audit.page(query(null, null, null, "2")))).containsExactly("2", "2");
    assertThat(targets(audit.page(query("ann", "requeue", "message", "1")))).containsExactly("1");
    assertThat(audit.page(query("ann", "requeue", "message", "2"))).isEmpty();
    assertThat(targets(audit.page(AuditQuery.ofMessage("2", 9)))).containsExactly("2");
  }

  private static AuditQuery query(
      @Nullable String by,
      @Nullable String act,
      @Nullable String targetKind,
      @Nullable String target) {
    return new AuditQuery(by, act, targetKind, target, null, null, null, 9);
  }

  @Test
  default void spanOfTimeHasItsBeginAndItsEnd() {
    AuditLog audit = fixture().desk().audit();
    for (int i = 0; i < 3; i++) {
      audit.note(by("ann", "requeue", "message", "m" + i));
      fixture().letPass(Duration.ofMillis(2));
    }
    Instant at = audit.page(AuditQuery.newest(3)).get(1).at();

    assertThat(targets(audit.page(during(at, null)))).containsExactly("m2", "m1");
    assertThat(targets(audit.page(during(null, at)))).containsExactly("m1", "m0");
    assertThat(targets(audit.page(during(at, at)))).containsExactly("m1");
  }

  private static AuditQuery during(@Nullable Instant from, @Nullable Instant to) {
    return new AuditQuery(null, null, null, null, from, to, null, 9);
  }

  @Test
  default void pagesOfANarrowedQueryGoOnBeforeTheLastEntry() {
    AuditLog audit = fixture().desk().audit();
    for (int i = 0; i < 4; i++) {
      audit.note(by("ann", "requeue", "message", "a" + i));
      audit.note(by("bob", "discard", "message", "b" + i));
    }

    List<AuditEntry> first =
        audit.page(new AuditQuery("ann", null, null, null, null, null, null, 3));
    List<AuditEntry> second =
        audit.page(new AuditQuery("ann", null, null, null, null, null, first.get(2).id(), 3));

    assertThat(targets(first)).containsExactly("a3", "a2", "a1");
    assertThat(targets(second)).containsExactly("a0");
  }
}
