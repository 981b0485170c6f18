package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.CheckScene.CLAIM;
import static io.angarium.testkit.tck.CheckScene.LONG;
import static io.angarium.testkit.tck.CheckScene.SHOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckBackConfig;
import io.angarium.half.check.CheckBackLoop;
import io.angarium.half.check.CheckStore;
import io.angarium.half.check.NotedCheck;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What becomes of a half message by what its producer answers. Part of {@link CheckBackTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface CheckVerdictTck extends CheckFixtureTck {
  /** Where every producer is away. */
  String DOWN = "fake://down";

  private CheckScene scene() {
    return new CheckScene(fixture());
  }

  @Test
  default void committedIsSent() {
    CheckScene scene = scene();
    HalfKey key = scene.aged("1");
    scene.producers.answer(key, Verdict.COMMITTED);

    scene.loop().runOnce();

    assertThat(fixture().half().state(key)).isEqualTo(HalfState.COMMITTED);
    assertThat(fixture().sent()).hasSize(1);
  }

  @Test
  default void rolledBackIsDropped() {
    CheckScene scene = scene();
    HalfKey key = scene.aged("1");
    scene.producers.answer(key, Verdict.ROLLED_BACK);

    scene.loop().runOnce();

    assertThat(fixture().half().state(key)).isEqualTo(HalfState.ROLLED_BACK);
    assertThat(fixture().sent()).isEmpty();
  }

  @Test
  default void finalAnswerIsStoredAndNobodyIsAskedAgain() {
    CheckScene scene = scene();
    HalfKey committed = scene.aged("1");
    HalfKey rolledBack = scene.aged("2");
    scene.producers.answer(committed, Verdict.COMMITTED);
    scene.producers.answer(rolledBack, Verdict.ROLLED_BACK);

    for (int i = 0; i < 3; i++) {
      scene.loop().runOnce();
      scene.loop(fixture().another()).runOnce();
      scene.pass(LONG);
    }

    assertThat(scene.producers.asked(committed)).isEqualTo(1);
    assertThat(scene.producers.asked(rolledBack)).isEqualTo(1);
    assertThat(fixture().sent()).hasSize(1);
  }

  @Test
  default void youngMessageIsNotAskedFor() {
    CheckScene scene = scene();
    fixture().half().prepare(HalfScene.message(HalfScene.KEY));

    scene.loop().runOnce();

    assertThat(scene.producers.questions()).isEmpty();
  }

  @Test
  default void inFlightUsesNothingUp() {
    CheckScene scene = scene();
    HalfKey key = scene.aged("1");
    scene.producers.answer(key, Verdict.IN_FLIGHT);
    CheckBackLoop loop = scene.loop();

    for (int i = 0; i < 40; i++) {
      loop.runOnce();
      scene.pass(LONG);
    }

    assertThat(scene.producers.asked(key)).isEqualTo(40);
    assertThat(fixture().half().state(key)).isEqualTo(HalfState.PREPARED);
    scene.producers.answer(key, Verdict.COMMITTED);
    loop.runOnce();
    assertThat(fixture().half().state(key)).isEqualTo(HalfState.COMMITTED);
  }

  @Test
  default void unknownIsAskedAgainUntilAPersonMustDecide() {
    CheckScene scene = scene();
    HalfKey key = scene.aged("1");
    CheckBackLoop loop = scene.loop();
    int limit = CheckBackConfig.DEFAULTS.unknownMax();

    for (int i = 1; i < limit; i++) {
      loop.runOnce();
      loop.runOnce();
      assertThat(scene.producers.asked(key)).isEqualTo(i);
      assertThat(fixture().half().state(key)).isEqualTo(HalfState.PREPARED);
      scene.pass(LONG);
    }
    assertThat(scene.givenUp).isEmpty();
    loop.runOnce();

    assertThat(scene.givenUp).containsExactly(key);
    assertThat(fixture().half().state(key)).isEqualTo(HalfState.UNRESOLVED);
    scene.pass(LONG);
    loop.runOnce();
    assertThat(scene.givenUp).as("told once").containsExactly(key);
    assertThat(scene.producers.asked(key)).isEqualTo(limit);
    assertThat(fixture().sent()).as("over the limit nothing is sent").isEmpty();
  }

  @Test
  default void alertOfANodeThatDiedIsToldByAnotherOneOnce() {
    CheckScene scene = scene();
    HalfKey key = scene.aged("1");
    fixture().store().enter(0, CheckScene.AGE);
    CheckAnswer last = CheckAnswer.of(Verdict.UNKNOWN);
    fixture()
        .another()
        .giveUp(new NotedCheck(CheckScene.only(fixture().store()), last, 15, 0, LONG)); // and dies
    CheckBackLoop other = scene.loop();

    other.runOnce();
    List<HalfKey> early = List.copyOf(scene.givenUp);
    for (int i = 0; i < 3; i++) {
      scene.pass(CheckStore.ALERT_CLAIM.plusSeconds(1));
      other.runOnce();
    }

    assertThat(early).isEmpty();
    assertThat(scene.givenUp).containsExactly(key);
  }

  @Test
  default void lateCommitOfTheProducerIsTakenFromWhatIsUnresolved() {
    CheckScene scene = scene();
    HalfKey key = scene.aged("1");
    CheckBackLoop loop = scene.loop();
    for (int i = 0; i < CheckBackConfig.DEFAULTS.unknownMax(); i++) {
      loop.runOnce();
      scene.pass(LONG);
    }

    assertThat(fixture().half().commit(key)).isEqualTo(HalfState.COMMITTED);

    assertThat(fixture().sent()).hasSize(1);
    loop.runOnce();
    assertThat(scene.givenUp).containsExactly(key);
  }

  /**
   * Guards against a fault of RocketMQ: the counter rose while no producer was there, and the
   * message was parked.
   */
  @Test
  default void unreachableProducerIsNeverGivenUp() {
    CheckScene scene = scene();
    HalfKey key = scene.aged("1", DOWN);
    scene.producers.unreachable(DOWN, true);
    CheckBackLoop loop = scene.loop();

    for (int i = 0; i < 40; i++) {
      loop.runOnce();
      scene.pass(LONG);
    }

    assertThat(scene.producers.asked(key)).isEqualTo(40);
    assertThat(scene.givenUp).isEmpty();
    assertThat(fixture().half().state(key)).isEqualTo(HalfState.PREPARED);
    scene.producers.unreachable(DOWN, false);
    scene.producers.answer(key, Verdict.COMMITTED);
    loop.runOnce();
    assertThat(fixture().half().state(key)).isEqualTo(HalfState.COMMITTED);
  }

  /**
   * Guards against a fault of TrustMessage: the scan broke off at the first unreachable producer,
   * at the same row every time.
   */
  @Test
  default void unreachableProducerHoldsUpNoOther() {
    CheckScene scene = scene();
    scene.producers.unreachable(DOWN, true);
    List<HalfKey> others = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      scene.aged("down " + i, DOWN);
      others.add(scene.aged("up " + i));
    }
    others.forEach(key -> scene.producers.answer(key, Verdict.COMMITTED));

    scene.loop().runOnce();

    assertThat(fixture().half().states(others).values()).containsOnly(HalfState.COMMITTED);
  }

  @Test
  default void keysOfOneProducerAreAskedForTogether() {
    CheckScene scene = scene();
    for (int i = 0; i < 10; i++) {
      scene.aged("" + i);
    }

    scene.loop().runOnce();

    assertThat(scene.producers.questions()).hasSize(1);
    assertThat(scene.producers.questions().get(0).keys()).hasSize(10);
    assertThat(scene.producers.questions().get(0).address()).hasToString(SHOP);
  }

  @Test
  default void ofTwoNodesOneAsks() {
    CheckScene scene = scene();
    List<HalfKey> keys = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      keys.add(scene.aged("" + i));
    }
    CheckBackLoop one = scene.loop();
    CheckBackLoop other = scene.loop(fixture().another());

    one.runOnce();
    other.runOnce();

    assertThat(keys).allSatisfy(key -> assertThat(scene.producers.asked(key)).isEqualTo(1));
  }

  @Test
  default void nodeThatDiedAfterItsClaimIsReplaced() {
    CheckScene scene = scene();
    HalfKey key = scene.aged("1");
    scene.producers.answer(key, Verdict.COMMITTED);
    fixture().store().enter(0, CheckScene.AGE);
    CheckScene.only(fixture().another()); // and dies
    CheckBackLoop other = scene.loop();

    other.runOnce();
    int early = scene.producers.asked(key);
    scene.pass(CLAIM.plus(Duration.ofSeconds(1)));
    other.runOnce();

    assertThat(early).isZero();
    assertThat(fixture().half().state(key)).isEqualTo(HalfState.COMMITTED);
  }

  @Test
  default void businessWithoutACheckBackWaits() {
    CheckScene scene = scene();
    fixture().half().prepare(HalfScene.message(HalfScene.KEY));
    scene.pass(LONG);
    CheckBackLoop loop = scene.loop();

    for (int i = 0; i < 20; i++) {
      loop.runOnce();
      scene.pass(LONG);
    }

    assertThat(fixture().half().state(HalfScene.KEY)).isEqualTo(HalfState.PREPARED);
    assertThat(scene.givenUp).isEmpty();
  }

  @Test
  default void addressThatNobodyServesWaits() {
    CheckScene scene = scene();
    HalfKey key = scene.aged("1", "carrier-pigeon:shop");
    CheckBackLoop loop = scene.loop();

    for (int i = 0; i < 20; i++) {
      loop.runOnce();
      scene.pass(LONG);
    }

    assertThat(fixture().half().state(key)).isEqualTo(HalfState.PREPARED);
    assertThat(scene.givenUp).isEmpty();
  }
}
