package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.CheckScene.LONG;
import static io.angarium.testkit.tck.HalfScene.assertRefused;
import static io.angarium.testkit.tck.HalfScene.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.half.Refusal;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckBackConfig;
import io.angarium.half.check.CheckBackLoop;
import io.angarium.half.decide.HalfBacklog;
import io.angarium.half.decide.HalfDetails;
import io.angarium.half.decide.OperatorDecision;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What persons see and do. Part of {@link CheckBackTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface HalfDeskTck extends CheckFixtureTck {
  private CheckScene scene() {
    return new CheckScene(fixture());
  }

  /** Messages that nobody could decide. */
  private List<HalfKey> unresolved(CheckScene scene, String... keys) {
    List<HalfKey> aged = List.of(keys).stream().map(scene::aged).toList();
    CheckBackLoop loop = scene.loop();
    for (int i = 0; i < CheckBackConfig.DEFAULTS.unknownMax(); i++) {
      loop.runOnce();
      scene.pass(LONG);
    }
    return aged;
  }

  @Test
  default void unresolvedOnesAreSeenPageByPage() {
    List<HalfKey> keys = unresolved(scene(), "1", "2", "3");
    scene().aged("prepared");

    List<HalfDetails> first = fixture().desk().unresolved(0, 2);
    List<HalfDetails> second = fixture().desk().unresolved(first.get(1).number(), 2);

    assertThat(first).extracting(HalfDetails::key).isEqualTo(keys.subList(0, 2));
    assertThat(second).extracting(HalfDetails::key).isEqualTo(keys.subList(2, 3));
    assertThatThrownBy(() -> fixture().desk().unresolved(0, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1..1000");
  }

  @Test
  default void undecidedOnesAreSeenPageByPageWithWhatAskingHasBrought() {
    CheckScene scene = scene();
    HalfKey away = scene.aged("1", "fake://nobody");
    scene.producers.unreachable("fake://nobody", true);
    HalfKey open = scene.aged("2");
    scene.producers.answer(open, Verdict.IN_FLIGHT);
    HalfKey decided = scene.aged("3");
    scene.producers.answer(decided, Verdict.COMMITTED);
    HalfKey unknown = unresolved(scene, "4").get(0);

    List<HalfDetails> first = fixture().desk().undecided(LONG, 0, 2);
    List<HalfDetails> second = fixture().desk().undecided(LONG, first.get(1).number(), 2);

    assertThat(first).extracting(HalfDetails::key).containsExactly(away, open);
    assertThat(second).extracting(HalfDetails::key).containsExactly(unknown);
    assertThat(first).extracting(HalfDetails::state).containsOnly(HalfState.PREPARED);
    assertThat(second).extracting(HalfDetails::state).containsOnly(HalfState.UNRESOLVED);
    HalfDetails.Check check = Objects.requireNonNull(first.get(0).check());
    assertThat(first.get(0).address()).isEqualTo("fake://nobody");
    assertThat(check.last()).isEqualTo(Verdict.UNREACHABLE);
    assertThat(check.unreachable()).isPositive();
    assertThat(check.nextAt()).isNotNull();
  }

  @Test
  default void undecidedOnesThatAreYoungerAreLeftOut() {
    CheckScene scene = scene();
    HalfKey old = scene.aged("old");
    scene.pass(LONG);
    HalfKey young = scene.aged("young");
    scene.loop().runOnce();
    fixture().half().prepare(HalfScene.message(key("not yet asked for")));

    assertThat(fixture().desk().undecided(LONG, 0, 10))
        .extracting(HalfDetails::key)
        .containsExactly(old);
    assertThat(fixture().desk().undecided(Duration.ZERO, 0, 10))
        .extracting(HalfDetails::key)
        .containsExactly(old, young);
    assertThatThrownBy(() -> fixture().desk().undecided(Duration.ofSeconds(-1), 0, 10))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("0s..");
    assertThatThrownBy(() -> fixture().desk().undecided(LONG, 0, 1_001))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("1..1000");
  }

  @Test
  default void detailsTellWhatAskingHasBrought() {
    CheckScene scene = scene();
    HalfKey key = unresolved(scene, "1").get(0);

    HalfDetails details = fixture().desk().find(key).orElseThrow();

    assertThat(details.key()).isEqualTo(key);
    assertThat(details.state()).isEqualTo(HalfState.UNRESOLVED);
    assertThat(details.address()).isEqualTo(CheckScene.SHOP);
    assertThat(details.destination()).isEqualTo("kafka:orders");
    assertThat(details.decidedAt()).isNull();
    HalfDetails.Check check = Objects.requireNonNull(details.check());
    assertThat(check.unknown()).isEqualTo(CheckBackConfig.DEFAULTS.unknownMax());
    assertThat(check.last()).isEqualTo(Verdict.UNKNOWN);
    assertThat(check.nextAt()).isNull();
    assertThat(check.at()).isAfter(details.createdAt());
  }

  @Test
  default void detailsTellWhyNobodyCouldBeAsked() {
    CheckScene scene = scene();
    HalfKey key = scene.aged("1");
    scene.producers.unreachable(CheckScene.SHOP, true);

    scene.loop().runOnce();

    HalfDetails.Check check =
        Objects.requireNonNull(fixture().desk().find(key).orElseThrow().check());
    assertThat(check.last()).isEqualTo(Verdict.UNREACHABLE);
    assertThat(check.reason()).isEqualTo("away as planned");
    assertThat(check.unreachable()).isEqualTo(1);
    assertThat(check.nextAt()).isNotNull();
  }

  @Test
  default void detailsOfWhatWasNeverAskedForHaveNoCheck() {
    fixture().half().prepare(HalfScene.message(key("1")));

    HalfDetails details = fixture().desk().find(key("1")).orElseThrow();

    assertThat(details.state()).isEqualTo(HalfState.PREPARED);
    assertThat(details.check()).isNull();
    assertThat(fixture().desk().find(key("2"))).isEmpty();
  }

  @Test
  default void personCommits() {
    HalfKey key = unresolved(scene(), "1").get(0);

    assertThat(fixture().desk().commit(key, "ann", "paid, says the bank"))
        .isEqualTo(HalfState.COMMITTED);

    assertThat(fixture().half().state(key)).isEqualTo(HalfState.COMMITTED);
    assertThat(fixture().sent()).hasSize(1);
    assertThat(fixture().desk().unresolved(0, 10)).isEmpty();
  }

  @Test
  default void personRollsBack() {
    HalfKey key = unresolved(scene(), "1").get(0);

    assertThat(fixture().desk().rollback(key, "ann", "never paid"))
        .isEqualTo(HalfState.ROLLED_BACK);

    assertThat(fixture().half().state(key)).isEqualTo(HalfState.ROLLED_BACK);
    assertThat(fixture().sent()).isEmpty();
    assertThat(fixture().desk().unresolved(0, 10)).isEmpty();
  }

  @Test
  default void personHasTheProducerAskedAgain() {
    CheckScene scene = scene();
    HalfKey key = unresolved(scene, "1").get(0);
    int asked = scene.producers.asked(key);

    assertThat(fixture().desk().resume(key, "ann", "the shop is repaired"))
        .isEqualTo(HalfState.PREPARED);

    assertThat(fixture().desk().unresolved(0, 10)).isEmpty();
    CheckBackLoop loop = scene.loop();
    loop.runOnce();
    assertThat(scene.producers.asked(key)).isEqualTo(asked + 1);
    assertThat(fixture().half().state(key))
        .as("the count began anew")
        .isEqualTo(HalfState.PREPARED);
    scene.pass(LONG);
    scene.producers.answer(key, Verdict.COMMITTED);
    loop.runOnce();
    assertThat(fixture().half().state(key)).isEqualTo(HalfState.COMMITTED);
  }

  @Test
  default void personHasAYoungOneAskedForAtOnce() {
    CheckScene scene = scene();
    fixture().half().prepare(HalfScene.message(key("1")).checkBack(CheckScene.SHOP_URI));

    fixture().desk().resume(key("1"), "ann", "the shop has died");
    scene.loop().runOnce();

    assertThat(scene.producers.asked(key("1"))).isEqualTo(1);
  }

  @Test
  default void personDecidesWhatIsPrepared() {
    HalfKey key = scene().aged("1");

    assertThat(fixture().desk().commit(key, "ann", "in a hurry")).isEqualTo(HalfState.COMMITTED);

    assertThat(fixture().sent()).hasSize(1);
  }

  @Test
  default void actsAreNotedWithWhoAndWhy() {
    HalfKey key = unresolved(scene(), "1").get(0);

    fixture().desk().resume(key, "ann", "once more");
    fixture().desk().rollback(key, "bob", "given up");

    List<OperatorDecision> acts = fixture().desk().acts(key);
    assertThat(acts).extracting(OperatorDecision::by).containsExactly("bob", "ann");
    assertThat(acts).extracting(OperatorDecision::reason).containsExactly("given up", "once more");
    assertThat(acts)
        .extracting(OperatorDecision::step)
        .containsExactly(HalfStep.ROLLBACK, HalfStep.RESUME);
    assertThat(acts)
        .extracting(OperatorDecision::before)
        .containsExactly(HalfState.PREPARED, HalfState.UNRESOLVED);
    assertThat(acts)
        .extracting(OperatorDecision::after)
        .containsExactly(HalfState.ROLLED_BACK, HalfState.PREPARED);
  }

  @Test
  default void refusedActIsToldAndNotNoted() {
    HalfKey key = scene().aged("1");
    fixture().half().commit(key);

    assertRefused(
        Refusal.ALREADY_COMMITTED, () -> fixture().desk().rollback(key, "ann", "too late"));
    assertRefused(Refusal.ALREADY_COMMITTED, () -> fixture().desk().resume(key, "ann", "too late"));
    assertRefused(Refusal.UNKNOWN, () -> fixture().desk().commit(key("2"), "ann", "a mistake"));

    assertThat(fixture().desk().acts(key)).isEmpty();
    assertThat(fixture().sent()).hasSize(1);
  }

  @Test
  default void whoAndWhyAreRequired() {
    HalfKey key = scene().aged("1");

    for (String by : List.of("", " ", "a".repeat(129), "a\0b")) {
      assertThatThrownBy(() -> fixture().desk().commit(key, by, "a reason"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1..128");
    }
    for (String reason : List.of("", " ", "r".repeat(1_001))) {
      assertThatThrownBy(() -> fixture().desk().commit(key, "ann", reason))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1..1000");
    }
    assertThat(fixture().half().state(key)).isEqualTo(HalfState.PREPARED);
  }

  @Test
  default void backlogTellsWhatIsOpenForTooLong() {
    CheckScene scene = scene();
    assertThat(fixture().desk().backlog()).isEqualTo(new HalfBacklog(0, 0, 0));
    HalfKey key = unresolved(scene, "1").get(0);
    scene.aged("2");
    scene.aged("3");
    scene.loop().runOnce();
    fixture().half().prepare(HalfScene.message(key("young")));

    assertThat(fixture().desk().backlog()).isEqualTo(new HalfBacklog(2, 0, 1));

    scene.pass(CheckScene.LONG);
    assertThat(fixture().desk().backlog()).isEqualTo(new HalfBacklog(2, 2, 1));

    fixture().half().commit(key);
    assertThat(fixture().desk().backlog().unresolved()).isZero();
  }

  @Test
  default void personWhoDecidesBeforeTheAnswerWins() {
    CheckScene scene = scene();
    HalfKey key = scene.aged("1");
    fixture().desk().rollback(key, "ann", "never paid");
    scene.producers.answer(key, Verdict.COMMITTED);

    scene.loop().runOnce();

    assertThat(fixture().half().state(key)).isEqualTo(HalfState.ROLLED_BACK);
    assertThat(fixture().sent()).isEmpty();
  }
}
