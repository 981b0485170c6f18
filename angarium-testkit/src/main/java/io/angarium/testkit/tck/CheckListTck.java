package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.CheckScene.AGE;
import static io.angarium.testkit.tck.CheckScene.CLAIM;
import static io.angarium.testkit.tck.CheckScene.LONG;
import static io.angarium.testkit.tck.CheckScene.SHOP;
import static io.angarium.testkit.tck.CheckScene.only;
import static io.angarium.testkit.tck.HalfScene.key;
import static io.angarium.testkit.tck.HalfScene.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckStore;
import io.angarium.half.check.CheckStore.Entered;
import io.angarium.half.check.DueCheck;
import io.angarium.half.check.NotedCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The list of what is to be asked for. Part of {@link CheckBackTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface CheckListTck extends CheckFixtureTck {
  private CheckScene scene() {
    return new CheckScene(fixture());
  }

  private static NotedCheck unknown(DueCheck check, int times, Duration pause) {
    return new NotedCheck(check, CheckAnswer.of(Verdict.UNKNOWN), times, 0, pause);
  }

  @Test
  default void youngMessageIsNotLookedAt() {
    fixture().half().prepare(message(key("1")));

    Entered entered = fixture().store().enter(0, AGE);

    assertThat(entered).isEqualTo(new Entered(0, false));
    assertThat(fixture().store().claim(10, CLAIM).checks()).isEmpty();
  }

  @Test
  default void messageThatStaysPreparedIsDueOnce() {
    HalfKey key = scene().aged("1");

    Entered entered = fixture().store().enter(0, AGE);

    assertThat(entered.reached()).isEqualTo(fixture().store().last());
    DueCheck due = only(fixture().store());
    assertThat(due.key()).isEqualTo(key);
    assertThat(due.address()).isEqualTo(SHOP);
    assertThat(due.unknown() + due.unreachable()).isZero();
    assertThat(fixture().another().claim(10, CLAIM).checks()).isEmpty();
  }

  @Test
  default void messageWithoutAnAddressHasNone() {
    fixture().half().prepare(message(key("1")));
    fixture().pass(AGE.plusSeconds(1));

    fixture().store().enter(0, AGE);

    assertThat(only(fixture().store()).address()).isNull();
  }

  @Test
  default void searchStopsBeforeWhatIsTooYoungAndGoesOnThere() {
    scene().aged("old");
    fixture().half().prepare(message(key("young")));

    Entered first = fixture().store().enter(0, AGE);
    HalfKey firstFound = only(fixture().store()).key();
    fixture().pass(AGE.plusSeconds(1));
    fixture().store().claim(10, LONG); // the first one is due again
    Entered second = fixture().store().enter(first.reached(), AGE);

    assertThat(firstFound).isEqualTo(key("old"));
    assertThat(only(fixture().store()).key()).isEqualTo(key("young"));
    assertThat(first.reached()).isLessThan(second.reached());
  }

  @Test
  default void whatIsFinishedIsPassed() {
    for (String key : List.of("1", "2")) {
      fixture().half().prepare(message(key(key)));
    }
    fixture().half().commit(key("1"));
    fixture().half().rollback(key("2"));
    fixture().pass(AGE.plusSeconds(1));

    Entered entered = fixture().store().enter(0, AGE);

    assertThat(entered).isEqualTo(new Entered(fixture().store().last(), false));
    assertThat(fixture().store().claim(10, CLAIM).checks()).isEmpty();
  }

  @Test
  default void longListIsSearchedPageByPage() {
    List<HalfCall> calls = new ArrayList<>();
    for (int i = 0; i < CheckStore.BATCH_MAX + 7; i++) {
      calls.add(HalfScene.prepare(key("" + i)));
    }
    fixture().half().callAll(calls);
    fixture().pass(AGE.plusSeconds(1));

    Entered first = fixture().store().enter(0, AGE);
    Entered second = fixture().store().enter(first.reached(), AGE);

    assertThat(first.more()).isTrue();
    assertThat(second.more()).isFalse();
    assertThat(fixture().store().claim(CheckStore.BATCH_MAX, CLAIM).more()).isTrue();
    assertThat(fixture().store().claim(CheckStore.BATCH_MAX, CLAIM).checks()).hasSize(7);
  }

  @Test
  default void claimOfADeadNodeComesBackAfterItsTime() {
    scene().aged("1");
    fixture().store().enter(0, AGE);
    DueCheck dead = only(fixture().store());

    fixture().pass(CLAIM.dividedBy(2));
    List<DueCheck> early = fixture().another().claim(10, CLAIM).checks();
    fixture().pass(CLAIM.dividedBy(2).plusSeconds(1));
    DueCheck again = only(fixture().another());

    assertThat(early).isEmpty();
    assertThat(again.key()).isEqualTo(dead.key());
    assertThat(again.version()).isGreaterThan(dead.version());
  }

  @Test
  default void nodesThatClaimAtOnceShareTheWork() throws Exception {
    List<HalfCall> calls = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      calls.add(HalfScene.prepare(key("" + i)));
    }
    fixture().half().callAll(calls);
    fixture().pass(AGE.plusSeconds(1));
    fixture().store().enter(0, AGE);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    List<Future<List<DueCheck>>> claims = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      CheckStore store = fixture().another();
      claims.add(threads.submit(() -> claimAll(store)));
    }

    List<Long> claimed = new ArrayList<>();
    for (Future<List<DueCheck>> claim : claims) {
      claim.get(60, TimeUnit.SECONDS).forEach(check -> claimed.add(check.number()));
    }
    threads.shutdown();
    claimAll(fixture().store()).forEach(check -> claimed.add(check.number()));

    assertThat(claimed).hasSize(200).doesNotHaveDuplicates();
  }

  private static List<DueCheck> claimAll(CheckStore store) {
    List<DueCheck> all = new ArrayList<>();
    List<DueCheck> some = store.claim(7, CLAIM).checks();
    while (!some.isEmpty()) {
      all.addAll(some);
      some = store.claim(7, CLAIM).checks();
    }
    return all;
  }

  @Test
  default void whatIsDecidedMeanwhileIsNotAskedForAndLeavesTheList() {
    HalfKey key = scene().aged("1");
    fixture().store().enter(0, AGE);
    fixture().half().commit(key);

    assertThat(fixture().store().claim(10, CLAIM).checks()).isEmpty();

    fixture().pass(LONG);
    fixture().store().enter(0, AGE);
    assertThat(fixture().store().claim(10, CLAIM).checks()).isEmpty();
  }

  @Test
  default void answerIsNotedUntilTheNextTime() {
    scene().aged("1");
    fixture().store().enter(0, AGE);
    DueCheck due = only(fixture().store());

    fixture().store().note(List.of(unknown(due, 3, Duration.ofMinutes(10))));

    fixture().store().enter(0, AGE);
    fixture().pass(Duration.ofMinutes(9));
    assertThat(fixture().store().claim(10, CLAIM).checks()).isEmpty();
    fixture().pass(Duration.ofMinutes(2));
    assertThat(only(fixture().another()).unknown()).isEqualTo(3);
  }

  @Test
  default void endpointThatCouldNotBeAskedIsNotedBesideTheAnswers() {
    scene().aged("1");
    fixture().store().enter(0, AGE);
    NotedCheck noted =
        new NotedCheck(
            only(fixture().store()),
            new CheckAnswer(Verdict.UNREACHABLE, "r".repeat(5_000)),
            2,
            7,
            Duration.ZERO);

    fixture().store().note(List.of(noted));

    DueCheck again = only(fixture().store());
    assertThat(again.unknown()).isEqualTo(2);
    assertThat(again.unreachable()).isEqualTo(7);
  }

  @Test
  default void nodeThatIsTooLateChangesNothing() {
    HalfKey key = scene().aged("1");
    fixture().store().enter(0, AGE);
    DueCheck late = only(fixture().store());
    fixture().pass(CLAIM.plusSeconds(1));
    DueCheck taken = only(fixture().another());
    fixture().store().note(List.of(unknown(taken, 1, Duration.ofMinutes(10))));

    fixture().store().note(List.of(unknown(late, 9, Duration.ZERO)));
    fixture().store().putOff(List.of(late), Duration.ZERO);

    assertThat(fixture().store().giveUp(unknown(late, 9, Duration.ZERO))).isFalse();
    assertThat(fixture().half().state(key)).isEqualTo(HalfState.PREPARED);
    assertThat(fixture().store().claim(10, CLAIM).checks()).isEmpty();
    fixture().pass(Duration.ofMinutes(11));
    assertThat(only(fixture().store()).unknown()).isEqualTo(1);
  }

  @Test
  default void whatIsPutOffComesAgainAsItWas() {
    scene().aged("1");
    fixture().store().enter(0, AGE);
    DueCheck due = only(fixture().store());

    fixture().store().putOff(List.of(due), Duration.ofSeconds(20));

    assertThat(fixture().store().claim(10, CLAIM).checks()).isEmpty();
    fixture().pass(Duration.ofSeconds(21));
    assertThat(only(fixture().store()).unknown()).isZero();
  }

  @Test
  default void whatIsStruckOffIsNotDueAnyMore() {
    HalfKey key = scene().aged("1");
    fixture().store().enter(0, AGE);
    DueCheck due = only(fixture().store());
    fixture().half().rollback(key);

    fixture().store().strike(List.of(due));

    fixture().pass(LONG);
    assertThat(fixture().store().claim(10, CLAIM).checks()).isEmpty();
  }

  @Test
  default void whatIsGivenUpWaitsForAPerson() {
    HalfKey key = scene().aged("1");
    fixture().store().enter(0, AGE);
    DueCheck due = only(fixture().store());

    assertThat(fixture().store().giveUp(unknown(due, 15, Duration.ofMinutes(1)))).isTrue();

    assertThat(fixture().half().state(key)).isEqualTo(HalfState.UNRESOLVED);
    assertThat(fixture().sent()).isEmpty();
    fixture().pass(LONG);
    fixture().store().enter(0, AGE);
    assertThat(fixture().store().claim(10, CLAIM).checks()).isEmpty();
    assertThat(fixture().store().giveUp(unknown(due, 16, Duration.ofMinutes(1)))).isFalse();
  }

  @Test
  default void whatIsGivenUpCanStillBeDecided() {
    HalfKey committed = scene().aged("1");
    HalfKey rolledBack = scene().aged("2");
    fixture().store().enter(0, AGE);
    for (DueCheck due : fixture().store().claim(10, CLAIM).checks()) {
      fixture().store().giveUp(unknown(due, 15, Duration.ofMinutes(1)));
    }

    assertThat(fixture().half().commit(committed)).isEqualTo(HalfState.COMMITTED);
    assertThat(fixture().half().rollback(rolledBack)).isEqualTo(HalfState.ROLLED_BACK);

    assertThat(fixture().sent()).hasSize(1);
  }

  @Test
  default void whatIsDecidedCannotBeGivenUp() {
    HalfKey key = scene().aged("1");
    fixture().store().enter(0, AGE);
    DueCheck due = only(fixture().store());
    fixture().half().commit(key);

    assertThat(fixture().store().giveUp(unknown(due, 15, Duration.ofMinutes(1)))).isFalse();

    assertThat(fixture().half().state(key)).isEqualTo(HalfState.COMMITTED);
    assertThat(fixture().sent()).hasSize(1);
  }

  /** Gives up the only check there is. */
  private DueCheck givenUp() {
    DueCheck due = only(fixture().store());
    fixture().store().giveUp(unknown(due, 15, Duration.ofMinutes(1)));
    return due;
  }

  /** Lets so much time pass that another node has the alerts. */
  private List<DueCheck> untoldLater() {
    fixture().pass(CheckStore.ALERT_CLAIM.plusSeconds(1));
    return fixture().another().untold();
  }

  @Test
  default void alertThatNobodyToldIsTakenByOneNodeAfterAnother() {
    HalfKey key = scene().aged("1");
    fixture().store().enter(0, AGE);
    givenUp();

    List<DueCheck> early = fixture().another().untold();
    List<DueCheck> taken = untoldLater();
    List<DueCheck> atOnce = fixture().store().untold();
    List<DueCheck> again = untoldLater();

    assertThat(early).as("of the node that gave it up").isEmpty();
    assertThat(taken).hasSize(1);
    assertThat(taken.get(0).key()).isEqualTo(key);
    assertThat(taken.get(0).unknown()).isEqualTo(15);
    assertThat(atOnce).isEmpty();
    assertThat(again).as("as that one died, too").hasSize(1);
  }

  @Test
  default void alertThatWasToldIsTakenByNobody() {
    scene().aged("1");
    fixture().store().enter(0, AGE);

    fixture().store().told(givenUp());

    assertThat(untoldLater()).isEmpty();
    assertThat(fixture().desk().backlog().unresolved()).isEqualTo(1);
  }

  @Test
  default void alertOfWhatWasDecidedMeanwhileIsDropped() {
    HalfKey key = scene().aged("1");
    fixture().store().enter(0, AGE);
    givenUp();

    fixture().half().commit(key);

    assertThat(untoldLater()).isEmpty();
  }

  @Test
  default void whatIsResumedAndGivenUpOnceMoreIsToldOnceMore() {
    HalfKey key = scene().aged("1");
    fixture().store().enter(0, AGE);
    fixture().store().told(givenUp());

    fixture().desk().resume(key, "ann", "again");
    givenUp();

    assertThat(untoldLater()).hasSize(1);
  }
}
