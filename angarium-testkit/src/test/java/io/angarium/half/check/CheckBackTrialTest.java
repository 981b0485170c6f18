package io.angarium.half.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.Verdict;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CheckBackTrialTest {
  private final CheckBackScene scene = new CheckBackScene();
  private final Shop shop = new Shop();
  private final List<CheckBackLoop> loops = new ArrayList<>();

  @AfterEach
  void close() {
    loops.forEach(CheckBackLoop::close);
  }

  private CheckBackLoop loop(Duration timeout) {
    CheckBackLoop loop =
        scene
            .loop()
            .config(config(timeout))
            .transport(shop)
            .checkBack("order", key -> Verdict.COMMITTED)
            .build();
    loops.add(loop);
    return loop;
  }

  private static CheckBackConfig config(Duration timeout) {
    CheckBackConfig other = CheckBackConfig.DEFAULTS;
    return new CheckBackConfig(
        other.pauses(),
        other.unknownMax(),
        other.alertAfter(),
        other.questionsMax(),
        other.questionsInAllMax(),
        timeout,
        other.claim(),
        other.interval(),
        other.sweep());
  }

  private CompletableFuture<CheckAnswer> ask(CheckBackLoop loop, HalfKey key) {
    return CompletableFuture.supplyAsync(() -> loop.tryOut(key, CheckBackScene.SHOP));
  }

  @Test
  void finalAnswerDecidesNothing() {
    HalfKey key = scene.aged(1, CheckBackScene.SHOP).get(0);
    CheckBackLoop loop = loop(Duration.ofSeconds(10));

    CompletableFuture<CheckAnswer> answer = ask(loop, key);
    shop.answer(Verdict.COMMITTED);

    assertThat(answer.join().verdict()).isEqualTo(Verdict.COMMITTED);
    assertThat(scene.half.state(key)).isEqualTo(HalfState.PREPARED);
    assertThat(scene.answers).isEmpty();
  }

  @Test
  void producerThatRestsIsAskedAllTheSame() {
    HalfKey key = scene.aged(1, CheckBackScene.SHOP).get(0);
    CheckBackLoop loop = loop(Duration.ofSeconds(10));
    loop.runOnce();
    shop.answer(Verdict.UNREACHABLE);
    loop.runOnce(); // now it rests

    CompletableFuture<CheckAnswer> answer = ask(loop, key);
    shop.answer(Verdict.UNKNOWN);

    assertThat(answer.join().verdict()).isEqualTo(Verdict.UNKNOWN);
  }

  @Test
  void checkBackOfThisProcessIsAsked() {
    HalfKey key = scene.aged(1, null).get(0);

    assertThat(loop(Duration.ofSeconds(10)).tryOut(key, null).verdict())
        .isEqualTo(Verdict.COMMITTED);
    assertThat(scene.half.state(key)).isEqualTo(HalfState.PREPARED);
  }

  @Test
  void silentProducerIsGivenUpAfterTheTimeout() {
    CheckAnswer answer =
        loop(Duration.ofMillis(100)).tryOut(CheckBackScene.key(1), CheckBackScene.SHOP);

    assertThat(answer).isEqualTo(new CheckAnswer(Verdict.UNREACHABLE, "no answer within 100ms"));
  }

  @Test
  void questionsOfPersonsAreBoundedUntilTheyAreAnswered() {
    CheckBackLoop loop = loop(Duration.ofMillis(100));
    for (int i = 0; i < SingleQuestions.UNDER_WAY_MAX; i++) {
      loop.tryOut(CheckBackScene.key(i), CheckBackScene.SHOP);
    }

    assertThat(loop.tryOut(CheckBackScene.key(9), CheckBackScene.SHOP).reason())
        .contains("4 persons wait for an answer");
    assertThat(shop.open).hasSize(SingleQuestions.UNDER_WAY_MAX);

    shop.answer(Verdict.UNKNOWN);
    shop.open.clear();
    CompletableFuture<CheckAnswer> answer = ask(loop, CheckBackScene.key(9));
    shop.answer(Verdict.COMMITTED);
    assertThat(answer.join().verdict()).isEqualTo(Verdict.COMMITTED);
  }

  @Test
  void addressThatNothingServesIsSaidToBe() {
    assertThat(loop(Duration.ofSeconds(10)).tryOut(CheckBackScene.key(1), "ftp://shop").reason())
        .contains("no transport of check-backs serves 'ftp://shop'");
  }

  @Test
  void brokenTransportIsUnreachable() {
    CheckBackLoop loop = loop(Duration.ofSeconds(10));

    CompletableFuture<CheckAnswer> answer = ask(loop, CheckBackScene.key(1));
    shop.complete(List.of());

    assertThat(answer.join())
        .isEqualTo(
            new CheckAnswer(Verdict.UNREACHABLE, "the check-back gave 0 answers for 1 keys"));
  }

  /** A producer that answers its questions one by one, when the test says so. */
  private static final class Shop implements CheckBackTransport {
    final BlockingQueue<CompletableFuture<List<CheckAnswer>>> open = new LinkedBlockingQueue<>();

    /** Answers the oldest question; waits for it if there is none yet. */
    void answer(Verdict verdict) {
      complete(List.of(CheckAnswer.of(verdict)));
    }

    void complete(List<CheckAnswer> answers) {
      try {
        open.take().complete(answers);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    @Override
    public Set<String> schemes() {
      return Set.of("fake");
    }

    @Override
    public int keysMax() {
      return 1;
    }

    @Override
    public CompletionStage<List<CheckAnswer>> ask(URI address, List<HalfKey> keys) {
      CompletableFuture<List<CheckAnswer>> answer = new CompletableFuture<>();
      open.add(answer);
      return answer;
    }

    @Override
    public void close() {
      // has no connection
    }
  }
}
