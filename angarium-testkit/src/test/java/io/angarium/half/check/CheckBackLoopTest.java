package io.angarium.half.check;

import static io.angarium.half.check.CheckBackScene.HOUR;
import static io.angarium.half.check.CheckBackScene.MINUTE;
import static io.angarium.half.check.CheckBackScene.SHOP;
import static io.angarium.half.check.CheckBackScene.key;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.half.CheckAnswer;
import io.angarium.half.CheckBack;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.Verdict;
import io.angarium.half.check.CheckBackScene.Pending;
import io.angarium.testkit.fake.FakeProducers;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How producers are asked, and what their faults can do. */
class CheckBackLoopTest {
  private final CheckBackScene scene = new CheckBackScene();

  private Map<HalfKey, HalfState> states(int count) {
    List<HalfKey> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      keys.add(key(i));
    }
    return scene.half.states(keys);
  }

  @Test
  void checkBackOfThisProcessIsAskedForItsBusiness() {
    scene.aged(2, null);
    CheckBackLoop loop =
        scene
            .loop()
            .checkBack(
                "order", key -> key.key().equals("0") ? Verdict.COMMITTED : Verdict.ROLLED_BACK)
            .build();

    loop.runOnce();

    assertThat(scene.half.state(key(0))).isEqualTo(HalfState.COMMITTED);
    assertThat(scene.half.state(key(1))).isEqualTo(HalfState.ROLLED_BACK);
  }

  @Test
  void whateverACheckBackThrowsIsUnreachable() {
    assertUnreachable(
        key -> {
          throw new IOException("no route to the books");
        },
        "no route to the books");
    assertUnreachable(
        key -> {
          throw new AssertionError("a defect");
        },
        "a defect");
  }

  @Test
  void answerOfTheWrongFormIsUnreachable() {
    assertUnreachable(answering(List.of()), "0 answers for 1 keys");
    assertUnreachable(
        answering(List.of(Verdict.COMMITTED, Verdict.COMMITTED)), "2 answers for 1 keys");
    assertUnreachable(answering(Collections.singletonList(null)), "null for this key");
    assertUnreachable(answering(null), "NullPointerException");
  }

  @SuppressWarnings("NullAway") // what an application may do wrong
  private static CheckBack answering(@Nullable List<Verdict> verdicts) {
    return new CheckBack() {
      @Override
      public Verdict check(HalfKey key) {
        throw new AssertionError("asked for one");
      }

      @Override
      public List<Verdict> checkAll(List<HalfKey> keys) {
        return verdicts;
      }
    };
  }

  private static void assertUnreachable(CheckBack checkBack, String reason) {
    CheckBackScene scene = new CheckBackScene();
    scene.aged(1, null);

    scene.loop().checkBack("order", checkBack).build().runOnce();

    assertThat(scene.answers).hasSize(1);
    assertThat(scene.answers.get(0).verdict()).isEqualTo(Verdict.UNREACHABLE);
    assertThat(scene.answers.get(0).reason()).contains(reason);
    assertThat(scene.half.state(key(0))).isEqualTo(HalfState.PREPARED);
  }

  /** A transport breaks its contract. */
  @Test
  void transportThatThrowsIsUnreachable() {
    scene.aged(1, SHOP);
    CheckBackLoop loop =
        scene.asking(
            new Other() {
              @Override
              public CompletionStage<List<CheckAnswer>> ask(URI address, List<HalfKey> keys) {
                throw new IllegalStateException("planned");
              }
            });

    loop.runOnce();

    assertThat(scene.answers.get(0).verdict()).isEqualTo(Verdict.UNREACHABLE);
    assertThat(scene.answers.get(0).reason()).contains("planned");
  }

  @Test
  void stageThatFailsIsUnreachable() {
    scene.aged(1, SHOP);
    CheckBackLoop loop =
        scene.asking(
            new Other() {
              @Override
              public CompletionStage<List<CheckAnswer>> ask(URI address, List<HalfKey> keys) {
                return CompletableFuture.failedFuture(new IllegalStateException("planned"));
              }
            });

    loop.runOnce();

    assertThat(scene.answers.get(0).reason()).contains("planned");
  }

  private abstract static class Other implements CheckBackTransport {
    @Override
    public Set<String> schemes() {
      return Set.of("fake");
    }

    @Override
    public int keysMax() {
      return 10;
    }

    @Override
    public void close() {
      // nothing is held
    }
  }

  @Test
  void missingCheckBackAndMissingTransportSayWhatToDo() {
    scene.aged(1, null);
    scene.loop().build().runOnce();
    assertThat(scene.answers.get(0).reason()).contains("'order'", "register one");

    CheckBackScene other = new CheckBackScene();
    other.aged(1, "dubbo://registry/shop");
    other.asking(CheckBackScene.producers()).runOnce();
    assertThat(other.answers.get(0).reason()).contains("dubbo://registry/shop", "[fake]");
  }

  @Test
  void questionWithoutAnAnswerInTimeIsUnreachableAndALateAnswerIsNotTaken() {
    scene.aged(1, SHOP);
    Pending transport = new Pending(10);
    CheckBackLoop loop = scene.asking(transport);
    loop.runOnce();

    scene.after(Duration.ofSeconds(9), loop);
    assertThat(scene.answers).isEmpty();
    scene.after(Duration.ofSeconds(2), loop);
    assertThat(scene.answers).extracting(CheckAnswer::verdict).containsOnly(Verdict.UNREACHABLE);
    assertThat(scene.answers.get(0).reason()).contains("within 10s");
    transport.answer(0, Verdict.COMMITTED);
    loop.runOnce();

    assertThat(scene.answers).hasSize(1);
    assertThat(scene.half.state(key(0))).isEqualTo(HalfState.PREPARED);
  }

  @Test
  void oneEndpointIsAskedSoManyQuestionsAtATimeAndTheNextWhenOneIsAnswered() {
    scene.aged(7, SHOP);
    Pending transport = new Pending(1);
    CheckBackLoop loop = scene.asking(transport);

    loop.runOnce();
    assertThat(transport.asked).hasSize(4);
    transport.answer(2, Verdict.COMMITTED);
    loop.runOnce();

    assertThat(transport.asked).hasSize(5).doesNotHaveDuplicates();
    assertThat(states(7).values()).containsOnlyOnce(HalfState.COMMITTED);
  }

  /** What waits for its turn until its claim is nearly over belongs to another node soon. */
  @Test
  void whatWaitedForTooLongIsNotAskedForAnyMore() {
    scene.aged(5, SHOP);
    Pending transport = new Pending(1);
    CheckBackLoop loop = scene.asking(transport);
    loop.runOnce();
    scene.clock.advance(Duration.ofSeconds(9));
    transport.answer(0, Verdict.COMMITTED);
    scene.clock.advance(Duration.ofSeconds(45));

    loop.runOnce();

    assertThat(transport.asked).hasSize(4);
  }

  @Test
  void endpointThatIsAwayIsProbedWithOneKeyAndTheOthersLoseNothing() {
    List<HalfKey> keys = scene.aged(50, SHOP);
    FakeProducers producers = new FakeProducers(10);
    producers.unreachable(SHOP, true);
    CheckBackLoop loop = scene.asking(producers);
    for (int i = 0; i < 30; i++) {
      scene.after(MINUTE, loop);
    }
    int failing = producers.questions().size();

    assertThat(producers.questions().subList(4, failing))
        .allSatisfy(asked -> assertThat(asked.keys()).hasSize(1));
    assertThat(failing).isLessThan(30);
    producers.unreachable(SHOP, false);
    keys.forEach(key -> producers.answer(key, Verdict.COMMITTED));
    for (int i = 0; i < 12; i++) {
      scene.after(MINUTE, loop);
    }
    assertThat(states(50).values()).containsOnly(HalfState.COMMITTED);
    assertThat(producers.questions().get(failing).keys()).hasSize(1);
    assertThat(producers.questions().get(failing + 1).keys().size()).isGreaterThan(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 10})
  void questionsHaveAsManyKeysAsTheTransportTakesAndTheRestIsTheLastOne(int keysMax) {
    List<HalfKey> keys = scene.aged(2 * keysMax + 1, SHOP);
    FakeProducers producers = new FakeProducers(keysMax);
    keys.forEach(key -> producers.answer(key, Verdict.COMMITTED));

    scene.asking(producers).runOnce();

    assertThat(producers.questions())
        .extracting(asked -> asked.keys().size())
        .containsExactly(keysMax, keysMax, 1);
    assertThat(states(keys.size()).values()).containsOnly(HalfState.COMMITTED);
  }

  /** A producer that needs a second for each key must not be asked for 200 at a time for ever. */
  @Test
  void questionsShrinkUntilTheyAreAnsweredInTime() {
    scene.aged(100, SHOP);
    Pending transport = new Pending(100);
    CheckBackLoop loop = scene.asking(transport);
    loop.runOnce();
    scene.after(Duration.ofSeconds(11), loop);

    scene.after(HOUR, loop);

    assertThat(transport.asked).extracting(List::size).containsExactly(100, 1);
  }

  @Test
  void outageIsToldOnceWhenItIsLongAndSoIsItsEnd() {
    scene.aged(2, SHOP);
    FakeProducers producers = CheckBackScene.producers();
    producers.unreachable(SHOP, true);
    CheckBackLoop loop = scene.asking(producers);

    loop.runOnce();
    scene.after(MINUTE, loop);
    assertThat(scene.heard).isEmpty();
    for (int i = 0; i < 10; i++) {
      scene.after(Duration.ofMinutes(6), loop);
    }
    assertThat(scene.heard).containsExactly("unreachable " + SHOP + " (away as planned)");
    producers.unreachable(SHOP, false);
    scene.after(HOUR, loop);
    scene.after(HOUR, loop);

    assertThat(scene.heard).hasSize(2).contains("reachable " + SHOP);
  }

  @Test
  void producerNobodyAsksAnyMoreIsForgottenAndToldSo() {
    List<HalfKey> keys = scene.aged(1, SHOP);
    FakeProducers producers = CheckBackScene.producers();
    producers.unreachable(SHOP, true);
    CheckBackLoop loop = scene.asking(producers);
    for (int i = 0; i < 10; i++) {
      scene.after(Duration.ofMinutes(6), loop);
    }

    scene.half.rollback(keys.get(0));
    for (int i = 0; i < 4; i++) {
      scene.after(HOUR, loop);
    }

    assertThat(scene.heard)
        .containsExactly("unreachable " + SHOP + " (away as planned)", "forgotten " + SHOP);
  }

  /** All of its threads hang, so that it cannot even be probed. */
  @Test
  void checkBackThatHangsIsToldOf() {
    scene.aged(50, SHOP);
    Pending transport = new Pending(1);
    CheckBackLoop loop = scene.asking(transport);

    for (int i = 0; i < 10; i++) {
      scene.after(Duration.ofMinutes(6), loop);
    }

    assertThat(transport.asked).hasSize(4);
    assertThat(scene.heard).hasSize(1);
    assertThat(scene.heard.get(0)).contains("no answer within 10s");
    assertThat(states(50).values()).containsOnly(HalfState.PREPARED);
  }

  @Test
  void keyThatItsProducerChokesOnHoldsUpNoOther() {
    scene.aged(20, null);
    CheckBackLoop loop =
        scene
            .loop()
            .checkBack(
                "order",
                key -> {
                  if (key.key().equals("3")) {
                    throw new IllegalStateException("poison");
                  }
                  return Verdict.COMMITTED;
                })
            .build();

    for (int i = 0; i < 60; i++) {
      scene.after(MINUTE, loop);
    }

    Map<HalfKey, HalfState> states = states(20);
    assertThat(states.remove(key(3))).isEqualTo(HalfState.PREPARED);
    assertThat(states.values()).containsOnly(HalfState.COMMITTED);
  }

  @Test
  void listenerCannotBreakTheLoop() {
    scene.aged(3, SHOP);
    FakeProducers producers = CheckBackScene.producers();
    producers.answer(key(0), Verdict.COMMITTED);
    CheckBackLoop loop =
        scene
            .loop()
            .transport(producers)
            .listener(
                new HalfListener() {
                  @Override
                  public void checked(HalfKey key, CheckAnswer answer) {
                    throw new IllegalStateException("planned");
                  }

                  @Override
                  public void gaveUp(HalfKey key, int checks) {
                    throw new IllegalStateException("planned");
                  }
                })
            .config(CheckBackConfig.DEFAULTS.unknownMax(1))
            .build();

    loop.runOnce();

    assertThat(scene.half.state(key(0))).isEqualTo(HalfState.COMMITTED);
    assertThat(scene.half.state(key(1))).isEqualTo(HalfState.UNRESOLVED);
    assertThat(scene.heard).hasSize(2);
  }

  /** A row that the database refuses to change, e.g. as somebody holds it. */
  @ParameterizedTest
  @CsvSource({"4, 4", "0, 0", "0, 1", "8, 9"})
  void decisionsThatTheDatabaseRefusesHoldUpNoOther(int one, int another) {
    scene.aged(10, SHOP);
    FakeProducers producers = CheckBackScene.producers();
    for (int i = 0; i < 10; i++) {
      producers.answer(key(i), Verdict.COMMITTED);
    }
    HalfMessages refusing = new Refusing(scene.half, Set.of(key(one)), key(another));
    CheckBackLoop loop =
        CheckBackLoop.builder(refusing, scene.store).time(scene.clock).transport(producers).build();

    assertThatThrownBy(loop::runOnce).isInstanceOf(StoreException.class);

    Map<HalfKey, HalfState> states = states(10);
    assertThat(states.remove(key(one))).isEqualTo(HalfState.PREPARED);
    states.remove(key(another));
    assertThat(states.values()).containsOnly(HalfState.COMMITTED);
  }

  private record Refusing(HalfMessages half, Set<HalfKey> refused, HalfKey another)
      implements HalfMessages {
    @Override
    public List<HalfAnswer> callAll(List<HalfCall> calls) {
      if (calls.stream()
          .anyMatch(call -> refused.contains(call.key()) || call.key().equals(another))) {
        throw new StoreException("held as planned", null);
      }
      return half.callAll(calls);
    }

    @Override
    public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
      return half.states(keys);
    }
  }

  @Test
  void keyThatACheckBackThrowsForHoldsUpNoOther() {
    scene.aged(3, null);
    CheckBackLoop loop =
        scene
            .loop()
            .checkBack(
                "order",
                key -> {
                  if (key.equals(key(0))) {
                    throw new IOException("no such order");
                  }
                  return Verdict.COMMITTED;
                })
            .build();

    loop.runOnce();

    Map<HalfKey, HalfState> states = states(3);
    assertThat(states.remove(key(0))).isEqualTo(HalfState.PREPARED);
    assertThat(states.values()).containsOnly(HalfState.COMMITTED);
  }

  /** A business that is not answered for there. */
  @Test
  void businessThatIsUnreachableAtAnAddressHoldsUpNoOtherThere() {
    HalfKey stock = new HalfKey("stock", "0");
    scene.half.prepare(
        HalfMessage.of(stock, Message.of("kafka:stock", new byte[] {1}))
            .checkBack(URI.create(SHOP)));
    scene.aged(3, SHOP);
    CheckBackTransport shop =
        new Other() {
          @Override
          public int keysMax() {
            return 1;
          }

          @Override
          public CompletionStage<List<CheckAnswer>> ask(URI address, List<HalfKey> keys) {
            return CompletableFuture.completedFuture(
                keys.get(0).business().equals("stock")
                    ? CheckAnswer.unreachable(keys.size(), "nobody answers for it")
                    : List.of(CheckAnswer.of(Verdict.COMMITTED)));
          }
        };
    CheckBackLoop loop =
        scene.loop().config(CheckBackConfig.DEFAULTS.questionsMax(1)).transport(shop).build();

    loop.runOnce();

    assertThat(scene.half.state(stock)).isEqualTo(HalfState.PREPARED);
    assertThat(states(3).values()).containsOnly(HalfState.COMMITTED);
  }

  private void agedAtShops(int shops) {
    for (int i = 0; i < shops; i++) {
      Message message = Message.of("kafka:orders", new byte[1]);
      scene.half.prepare(HalfMessage.of(key(i), message).checkBack(URI.create(SHOP + i)));
    }
    scene.clock.advance(MINUTE.plusSeconds(1));
  }

  @Test
  void noMoreQuestionsThanTheLimitAreUnderWayInAll() {
    agedAtShops(10);
    Pending shops = new Pending(1);
    CheckBackLoop loop =
        scene.loop().config(CheckBackConfig.DEFAULTS.questionsInAllMax(3)).transport(shops).build();

    loop.runOnce();
    int first = shops.asked.size();
    shops.answer(0, Verdict.COMMITTED);
    shops.answer(2, Verdict.COMMITTED);
    loop.runOnce();
    int second = shops.asked.size();
    for (int i = 0; i < 10; i++) {
      for (int j = 0; j < shops.asked.size(); j++) {
        shops.answer(j, Verdict.COMMITTED);
      }
      loop.runOnce();
    }

    assertThat(first).isEqualTo(3);
    assertThat(second).isEqualTo(5);
    assertThat(shops.asked).hasSize(10).doesNotHaveDuplicates();
    assertThat(states(10).values()).containsOnly(HalfState.COMMITTED);
  }

  @Test
  void producersThatNeverAnswerKeepTheirPlacesFromOthersForATimeOnly() {
    agedAtShops(10);
    Pending shops = new Pending(1);
    CheckBackLoop loop =
        scene.loop().config(CheckBackConfig.DEFAULTS.questionsInAllMax(3)).transport(shops).build();

    for (int i = 0; i < 4; i++) {
      loop.runOnce();
      scene.clock.advance(CheckBackConfig.DEFAULTS.timeout());
    }

    assertThat(shops.asked).hasSize(10).doesNotHaveDuplicates();
  }

  @Test
  void producerWithMuchToAskLeavesPlacesToOthers() {
    scene.aged(50, SHOP);
    HalfKey other = new HalfKey("stock", "1");
    Message message = Message.of("kafka:orders", new byte[1]);
    scene.half.prepare(HalfMessage.of(other, message).checkBack(URI.create("fake://stock")));
    scene.clock.advance(MINUTE.plusSeconds(1));
    Pending shops = new Pending(1);
    CheckBackLoop loop =
        scene.loop().config(CheckBackConfig.DEFAULTS.questionsInAllMax(2)).transport(shops).build();

    loop.runOnce();

    assertThat(shops.asked).hasSize(2).contains(List.of(other));
  }

  @Test
  void producersTakeTurnsWhereThereAreFewPlaces() {
    for (int i = 0; i < 20; i++) {
      Message message = Message.of("kafka:orders", new byte[1]);
      scene.half.prepare(HalfMessage.of(key(i), message).checkBack(URI.create(SHOP + i % 2)));
    }
    scene.clock.advance(MINUTE.plusSeconds(1));
    Pending shops = new Pending(1);
    CheckBackLoop loop =
        scene.loop().config(CheckBackConfig.DEFAULTS.questionsInAllMax(1)).transport(shops).build();

    for (int i = 0; i < 6; i++) {
      loop.runOnce();
      shops.answer(i, Verdict.COMMITTED);
    }

    assertThat(shops.asked)
        .extracting(keys -> Integer.parseInt(keys.get(0).key()) % 2)
        .containsExactly(0, 1, 0, 1, 0, 1);
  }

  /** One host that says nothing, and one that answers at once. */
  private static final class Hosts extends Other {
    final List<URI> dead = new ArrayList<>();
    boolean back;
    boolean refusing;

    @Override
    public CompletionStage<List<CheckAnswer>> ask(URI address, List<HalfKey> keys) {
      if (address.toString().startsWith(SHOP) || back) {
        return CompletableFuture.completedFuture(
            keys.stream().map(key -> CheckAnswer.of(Verdict.COMMITTED)).toList());
      }
      dead.add(address);
      return refusing
          ? CompletableFuture.completedFuture(CheckAnswer.unreachable(keys.size(), "503"))
          : new CompletableFuture<>();
    }
  }

  /** Each with an address of its own, as producers make them that put the key into it. */
  private List<HalfKey> preparedAt(String address, String business, int count) {
    List<HalfKey> keys = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      HalfKey key = new HalfKey(business, "" + i);
      Message message = Message.of("kafka:orders", new byte[1]);
      scene.half.prepare(HalfMessage.of(key, message).checkBack(URI.create(address + i)));
      keys.add(key);
    }
    return keys;
  }

  @Test
  void hostThatSaysNothingTakesNoMorePlacesThanOneEndpointHoweverManyAddressesItHas() {
    preparedAt("fake://dead/check?order=", "stock", 300);
    scene.aged(10, SHOP);
    Hosts hosts = new Hosts();
    CheckBackLoop loop = scene.asking(hosts);

    loop.runOnce();

    assertThat(hosts.dead).hasSize(4);
    assertThat(states(10).values()).containsOnly(HalfState.COMMITTED);
  }

  @Test
  void hostThatSaysNothingRestsAsAWholeAndIsToldOfOnceAndSoIsItsEnd() {
    List<HalfKey> stock = preparedAt("fake://dead/check?order=", "stock", 300);
    scene.clock.advance(MINUTE.plusSeconds(1));
    Hosts hosts = new Hosts();
    CheckBackLoop loop = scene.asking(hosts);

    for (int i = 0; i < 60; i++) {
      scene.after(Duration.ofSeconds(15), loop);
    }

    assertThat(hosts.dead).hasSizeLessThan(20);
    assertThat(scene.heard).containsExactly("unreachable fake://dead (no answer within 10s)");
    hosts.back = true;
    for (int i = 0; i < 60; i++) {
      scene.after(Duration.ofSeconds(15), loop);
    }
    assertThat(scene.half.states(stock).values()).containsOnly(HalfState.COMMITTED);
    assertThat(scene.heard).hasSize(2).contains("reachable fake://dead");
  }

  @Test
  void outageOfAHostIsNotToldOfOnceMoreForEachOfItsAddressesWhenItIsOver() {
    preparedAt("fake://dead/check?order=", "stock", 10);
    scene.clock.advance(MINUTE.plusSeconds(1));
    Hosts hosts = new Hosts();
    CheckBackLoop loop = scene.asking(hosts);
    for (int i = 0; i < 60; i++) {
      scene.after(Duration.ofSeconds(15), loop);
    }

    hosts.refusing = true;
    for (int i = 0; i < 60; i++) {
      scene.after(Duration.ofSeconds(15), loop);
    }
    assertThat(scene.heard).as("a refusal is no answer").hasSize(1);
    hosts.back = true;
    for (int i = 0; i < 60; i++) {
      scene.after(Duration.ofSeconds(15), loop);
    }

    assertThat(scene.heard)
        .containsExactly("unreachable fake://dead (no answer within 10s)", "reachable fake://dead");
  }

  /** As of a channel that pauses, or of a name that cannot be resolved. */
  @Test
  void refusalsNowAndThenDoNotHideThatAHostIsAway() {
    preparedAt("fake://dead/check?order=", "stock", 10);
    scene.clock.advance(MINUTE.plusSeconds(1));
    Hosts hosts = new Hosts();
    CheckBackLoop loop = scene.asking(hosts);

    for (int i = 0; i < 120; i++) {
      hosts.refusing = i % 8 == 7;
      scene.after(Duration.ofSeconds(15), loop);
    }

    assertThat(scene.heard).hasSize(1);
    assertThat(scene.heard.get(0)).startsWith("unreachable fake://dead (");
  }

  /** As a gateway does whose producers are away: it takes no places, and others are behind it. */
  @Test
  void hostThatSaysAtOnceThatNobodyIsThereIsNotRestedAsAWhole() {
    preparedAt("fake://gate/stock?order=", "stock", 20);
    scene.aged(3, "fake://gate/shop");
    CheckBackTransport gate =
        new Other() {
          @Override
          public CompletionStage<List<CheckAnswer>> ask(URI address, List<HalfKey> keys) {
            return CompletableFuture.completedFuture(
                address.getPath().equals("/shop")
                    ? keys.stream().map(key -> CheckAnswer.of(Verdict.COMMITTED)).toList()
                    : CheckAnswer.unreachable(keys.size(), "503"));
          }
        };

    scene.asking(gate).runOnce();

    assertThat(states(3).values()).containsOnly(HalfState.COMMITTED);
  }

  @Test
  void schemeHostAndPortAreWhatAddressesHaveInCommon() {
    Hosts hosts = new Hosts();

    assertThat(hosts.origin(URI.create("dtm+http://ann@Shop:8080/check?order=1")))
        .isEqualTo("http://shop:8080");
    assertThat(hosts.origin(URI.create("https://shop/check"))).isEqualTo("https://shop");
    assertThat(hosts.origin(URI.create("zookeeper://a:1,b:2?group=g")))
        .isEqualTo("zookeeper://a:1,b:2");
  }

  /** Answers at the next round. */
  @Test
  void backlogOfAProducerThatAnswersIsAskedForWithinAMinute() {
    scene.aged(10_000, SHOP);
    Pending shop = new Pending(200);
    CheckBackLoop loop = scene.asking(shop);
    int answered = 0;

    for (int second = 0; second < 60; second++) {
      for (; answered < shop.asked.size(); answered++) {
        shop.answer(answered, Verdict.COMMITTED);
      }
      scene.after(Duration.ofSeconds(1), loop);
    }

    assertThat(states(10_000).values()).containsOnly(HalfState.COMMITTED);
  }

  @Test
  void databaseThatIsAwayCostsNothingButTime() {
    scene.aged(3, SHOP);
    FakeProducers producers = CheckBackScene.producers();
    CheckBackLoop loop = scene.asking(producers);
    scene.half.unreachable(true);

    assertThatThrownBy(loop::runOnce).isInstanceOf(StoreException.class);
    scene.half.unreachable(false);
    producers.answer(key(0), Verdict.COMMITTED);
    scene.after(HOUR, loop);

    assertThat(scene.half.state(key(0))).isEqualTo(HalfState.COMMITTED);
  }

  @Test
  void manyMoreThanAnEndpointBearsArePutOffAndAllAreAskedInTheEnd() {
    scene.aged(2_000, SHOP);
    FakeProducers producers = new FakeProducers(1);
    for (int i = 0; i < 2_000; i++) {
      producers.answer(key(i), Verdict.COMMITTED);
    }
    CheckBackLoop loop = scene.asking(producers);

    for (int i = 0; i < 20; i++) {
      scene.after(MINUTE, loop);
    }

    assertThat(states(2_000).values()).containsOnly(HalfState.COMMITTED);
    assertThat(producers.questions()).hasSize(2_000);
  }

  @Test
  void twoTransportsForOneSchemeAreRefused() {
    CheckBackLoop.Builder builder =
        scene.loop().transport(new FakeProducers()).transport(new FakeProducers());

    assertThatThrownBy(builder::build)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("fake");
  }

  /** With its threads, and by the clocks of the JVM. */
  @Test
  void threadAsksUntilItIsClosed() throws Exception {
    scene.aged(1, null);
    CountDownLatch asked = new CountDownLatch(3);
    CheckBackLoop loop =
        CheckBackLoop.builder(scene.half, scene.store)
            .config(CheckBackConfig.DEFAULTS.interval(Duration.ofMillis(10)))
            .checkBack(
                "order",
                key -> {
                  asked.countDown();
                  return Verdict.IN_FLIGHT;
                })
            .build();

    loop.start();
    boolean thrice = false;
    for (int i = 0; !thrice && i < 1_200; i++) {
      scene.clock.advance(HOUR); // it is due again
      thrice = asked.await(50, TimeUnit.MILLISECONDS);
    }
    loop.close();
    loop.close();

    assertThat(thrice).isTrue();
    assertThat(scene.half.state(key(0))).isEqualTo(HalfState.PREPARED);
  }

  @Test
  void checkBackThatHangsDoesNotHoldUpTheClose() throws Exception {
    scene.aged(1, null);
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch end = new CountDownLatch(1);
    CheckBackLoop loop =
        CheckBackLoop.builder(scene.half, scene.store)
            .config(CheckBackConfig.DEFAULTS.interval(Duration.ofMillis(10)))
            .checkBack(
                "order",
                key -> {
                  asked.countDown();
                  end.await();
                  return Verdict.COMMITTED;
                })
            .build();
    loop.start();
    assertThat(asked.await(60, TimeUnit.SECONDS)).isTrue();

    loop.close();

    assertThat(end.getCount()).as("it still hangs").isEqualTo(1);
    end.countDown();
  }
}
