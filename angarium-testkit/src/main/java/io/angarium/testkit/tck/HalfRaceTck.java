package io.angarium.testkit.tck;

import static io.angarium.half.HalfState.COMMITTED;
import static io.angarium.half.HalfState.PREPARED;
import static io.angarium.half.HalfState.ROLLED_BACK;
import static io.angarium.half.WhenUnknown.REMEMBER;
import static io.angarium.testkit.tck.HalfScene.key;
import static io.angarium.testkit.tck.HalfScene.message;
import static io.angarium.testkit.tck.InboxScene.atOnce;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.RefusedStepException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Calls for one key at the same time, from one process and several. Part of the suite. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface HalfRaceTck extends HalfFixtureTck {
  /** How often each race is run. */
  int ROUNDS = 20;

  /** One and two others, which take turns. */
  private List<HalfMessages> processes() {
    return List.of(fixture().half(), fixture().another(), fixture().half(), fixture().another());
  }

  @Test
  default void ofEightCommitsAtOnceOneSends() throws Exception {
    List<HalfMessages> processes = processes();
    List<String> expected = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      HalfKey key = key("race-" + round);
      fixture().half().prepare(message(key));
      List<Callable<HalfState>> calls = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        HalfMessages half = processes.get(i % 4);
        calls.add(() -> half.commit(key));
      }

      assertThat(atOnce(calls)).containsOnly(COMMITTED);
      expected.add(key.key());
    }
    assertThat(new HalfScene(fixture()).sent()).containsExactlyInAnyOrderElementsOf(expected);
  }

  /** A call reports success exactly if its step is the outcome, so all calls agree. */
  @Test
  default void commitAndRollbackAtOnceAgree() throws Exception {
    List<HalfMessages> processes = processes();
    List<String> expected = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      HalfKey key = key("race-" + round);
      fixture().half().prepare(message(key));
      List<Callable<Boolean>> calls = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        HalfMessages half = processes.get(i % 4);
        boolean commits = i < 2;
        calls.add(() -> accepts(() -> commits ? half.commit(key) : half.rollback(key)));
      }

      List<Boolean> accepted = atOnce(calls);

      HalfState end = fixture().half().state(key);
      assertThat(end).isIn(COMMITTED, ROLLED_BACK);
      boolean committed = end == COMMITTED;
      assertThat(accepted).containsExactly(committed, committed, !committed, !committed);
      if (committed) {
        expected.add(key.key());
      }
    }
    assertThat(new HalfScene(fixture()).sent()).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static boolean accepts(Callable<HalfState> call) throws Exception {
    try {
      call.call();
      return true;
    } catch (RefusedStepException e) {
      return false;
    }
  }

  /** Or a message would wait beside its decision for ever. */
  @Test
  default void rememberedCommitAndPrepareAtOnceMeet() throws Exception {
    List<HalfMessages> processes = processes();
    List<String> expected = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      HalfKey key = key("race-" + round);
      List<Callable<HalfState>> calls = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        HalfMessages half = processes.get(i % 4);
        boolean prepares = i < 2;
        calls.add(() -> prepares ? half.prepare(message(key)) : half.commit(key, REMEMBER));
      }

      atOnce(calls);

      assertThat(fixture().half().state(key)).isEqualTo(COMMITTED);
      expected.add(key.key());
    }
    assertThat(new HalfScene(fixture()).sent()).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  default void rememberedRollbackAndPrepareAtOnceMeet() throws Exception {
    List<HalfMessages> processes = processes();
    for (int round = 0; round < ROUNDS; round++) {
      HalfKey key = key("race-" + round);
      List<Callable<Boolean>> calls = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        HalfMessages half = processes.get(i % 4);
        boolean prepares = i < 2;
        calls.add(
            () ->
                accepts(
                    () -> prepares ? half.prepare(message(key)) : half.rollback(key, REMEMBER)));
      }

      assertThat(atOnce(calls).subList(2, 4)).containsOnly(true);

      assertThat(fixture().half().state(key)).isEqualTo(ROLLED_BACK);
    }
    assertThat(fixture().sent()).isEmpty();
  }

  /** Or a message that was sent would be stored once more, and could be sent again. */
  @Test
  default void repeatedPrepareAndCommitAtOnceSendOnce() throws Exception {
    List<HalfMessages> processes = processes();
    List<String> expected = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      HalfKey key = key("race-" + round);
      fixture().half().prepare(message(key));
      List<Callable<HalfState>> calls = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        HalfMessages half = processes.get(i % 4);
        boolean prepares = i < 2;
        calls.add(() -> prepares ? half.prepare(message(key)) : half.commit(key));
      }

      List<HalfState> states = atOnce(calls);

      assertThat(states).allSatisfy(state -> assertThat(state).isIn(PREPARED, COMMITTED));
      assertThat(fixture().half().commit(key)).isEqualTo(COMMITTED);
      expected.add(key.key());
    }
    assertThat(new HalfScene(fixture()).sent()).containsExactlyInAnyOrderElementsOf(expected);
  }

  @Test
  default void overlappingBatchesInOppositeOrdersSendOnce() throws Exception {
    List<HalfMessages> processes = processes();
    List<String> expected = new ArrayList<>();
    for (int round = 0; round < 10; round++) {
      int number = round;
      List<HalfKey> keys =
          IntStream.range(0, 60).mapToObj(i -> key("key-" + number + "-" + i)).toList();
      List<Callable<List<HalfAnswer>>> prepares = new ArrayList<>();
      List<Callable<List<HalfAnswer>>> commits = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        HalfMessages half = processes.get(i / 2);
        List<HalfKey> mine = new ArrayList<>(keys);
        if ((i & 1) == 0) {
          Collections.reverse(mine);
        }
        prepares.add(() -> half.callAll(mine.stream().map(HalfScene::prepare).toList()));
        commits.add(() -> half.callAll(mine.stream().map(HalfScene::commit).toList()));
      }

      assertThat(atOnce(prepares)).allSatisfy(told -> assertStates(told, PREPARED));
      assertThat(atOnce(commits)).allSatisfy(told -> assertStates(told, COMMITTED));
      keys.forEach(key -> expected.add(key.key()));
    }
    assertThat(new HalfScene(fixture()).sent()).containsExactlyInAnyOrderElementsOf(expected);
  }

  private static void assertStates(List<HalfAnswer> answers, HalfState state) {
    assertThat(answers).extracting(HalfAnswer::state).containsOnly(state);
  }
}
