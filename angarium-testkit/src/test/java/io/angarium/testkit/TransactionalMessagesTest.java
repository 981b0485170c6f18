package io.angarium.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.half.Marker;
import io.angarium.half.RefusedStepException;
import io.angarium.half.Verdict;
import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.LocalWork;
import io.angarium.half.local.MarkerTakenException;
import io.angarium.half.local.OutcomeUnknownException;
import io.angarium.half.local.TransactionalMessages;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import io.angarium.testkit.memory.InMemoryLocalTransactions;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A message and a local transaction of another database, which end alike. */
class TransactionalMessagesTest {
  private static final HalfKey KEY = new HalfKey("order-paid", "4711");
  private static final HalfMessage MESSAGE =
      HalfMessage.of(KEY, Message.of("kafka:orders", "paid".getBytes(UTF_8)));

  private final InMemoryHalfMessages centre = new InMemoryHalfMessages(TimeSource.SYSTEM);
  private final InMemoryLocalTransactions shop = new InMemoryLocalTransactions();
  private final TransactionalMessages<List<String>> messages =
      new TransactionalMessages<>(centre, shop);

  /** A way to the centre that loses the answer, or the call, of some steps. */
  private HalfMessages losing(HalfStep step, boolean before) {
    return new HalfMessages() {
      @Override
      public List<HalfAnswer> callAll(List<HalfCall> calls) {
        boolean lost = calls.get(0).step() == step;
        if (lost && before) {
          throw new StoreException("the centre is away", null);
        }
        List<HalfAnswer> answers = centre.callAll(calls);
        if (lost) {
          throw new StoreException("the answer was lost", null);
        }
        return answers;
      }

      @Override
      public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
        return centre.states(keys);
      }
    };
  }

  private String pay(TransactionalMessages<List<String>> way) {
    return way.send(
        MESSAGE,
        writes -> {
          assertThat(centre.state(KEY)).isEqualTo(HalfState.PREPARED);
          writes.add("paid");
          return "receipt";
        });
  }

  private Verdict asked() throws Exception {
    return messages.checkBack().check(KEY);
  }

  @Test
  void theMessageIsPreparedBeforeAndCommittedAfterTheTransaction() throws Exception {
    String result = pay(messages);

    assertThat(result).isEqualTo("receipt");
    assertThat(shop.written()).containsExactly("paid");
    assertThat(centre.sent()).hasSize(1);
    assertThat(asked()).isEqualTo(Verdict.COMMITTED);
  }

  @Test
  void aMessageWithoutAnAddressHasTheOneThatWasGiven() {
    List<String> asked = new ArrayList<>();
    HalfMessages noting =
        new HalfMessages() {
          @Override
          public List<HalfAnswer> callAll(List<HalfCall> calls) {
            for (HalfCall call : calls) {
              if (call instanceof HalfCall.Prepare prepare) {
                asked.add(String.valueOf(prepare.message().checkBack()));
              }
            }
            return centre.callAll(calls);
          }

          @Override
          public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
            return centre.states(keys);
          }
        };
    TransactionalMessages<List<String>> way =
        new TransactionalMessages<>(noting, shop, URI.create("http://shop/check-back"));

    way.send(MESSAGE, writes -> "receipt");
    way.send(
        HalfMessage.of(new HalfKey("order-paid", "4712"), MESSAGE.message())
            .checkBack(URI.create("http://other/")),
        writes -> "receipt");

    assertThat(asked).containsExactly("http://shop/check-back", "http://other/");
  }

  @Test
  void aTransactionThatFailsRollsItsMessageBack() throws Exception {
    assertThatThrownBy(
            () ->
                messages.send(
                    MESSAGE,
                    writes -> {
                      writes.add("paid");
                      throw new IOException("no money");
                    }))
        .isInstanceOf(IOException.class)
        .hasMessage("no money");

    assertThat(shop.written()).isEmpty();
    assertThat(centre.state(KEY)).isEqualTo(HalfState.ROLLED_BACK);
    assertThat(centre.sent()).isEmpty();
    assertThat(asked()).isEqualTo(Verdict.ROLLED_BACK);
  }

  @Test
  void withoutAPreparedMessageNothingRuns() {
    centre.unreachable(true);

    assertThatThrownBy(() -> pay(messages)).isInstanceOf(StoreException.class);

    assertThat(shop.written()).isEmpty();
  }

  @Test
  void aCommitThatIsLostIsFoundByTheCheckBack() throws Exception {
    String result = pay(new TransactionalMessages<>(losing(HalfStep.COMMIT, true), shop));

    assertThat(result).isEqualTo("receipt");
    assertThat(centre.state(KEY)).isEqualTo(HalfState.PREPARED);
    assertThat(asked()).isEqualTo(Verdict.COMMITTED);
  }

  @Test
  void aCommitWhoseAnswerIsLostIsNoError() {
    String result = pay(new TransactionalMessages<>(losing(HalfStep.COMMIT, false), shop));

    assertThat(result).isEqualTo("receipt");
    assertThat(centre.sent()).hasSize(1);
  }

  @Test
  void aRollbackThatIsLostIsFoundByTheCheckBack() throws Exception {
    TransactionalMessages<List<String>> way =
        new TransactionalMessages<>(losing(HalfStep.ROLLBACK, true), shop);

    assertThatThrownBy(
            () ->
                way.send(
                    MESSAGE,
                    writes -> {
                      throw new IllegalStateException("no money");
                    }))
        .hasMessage("no money");

    assertThat(centre.state(KEY)).isEqualTo(HalfState.PREPARED);
    assertThat(asked()).isEqualTo(Verdict.ROLLED_BACK);
  }

  @Test
  void anUnknownOutcomeIsLeftToTheCheckBack() throws Exception {
    shop.losingCommitAnswers(true);

    assertThatThrownBy(() -> pay(messages)).isInstanceOf(OutcomeUnknownException.class);

    assertThat(centre.state(KEY)).isEqualTo(HalfState.PREPARED);
    assertThat(asked()).isEqualTo(Verdict.COMMITTED);
  }

  @Test
  void aTransactionThatWasAskedForBeforeItBeganIsRuledOut() throws Exception {
    centre.prepare(MESSAGE);
    assertThat(asked()).isEqualTo(Verdict.ROLLED_BACK);

    assertThatThrownBy(() -> pay(messages)).isInstanceOf(MarkerTakenException.class);

    assertThat(shop.written()).isEmpty();
    assertThat(centre.state(KEY)).isEqualTo(HalfState.ROLLED_BACK);
  }

  @Test
  void aKeyIsUsedOnce() {
    pay(messages);

    assertThatThrownBy(() -> pay(messages))
        .isInstanceOf(MarkerTakenException.class)
        .hasMessageContaining("has committed");

    assertThat(shop.written()).containsExactly("paid");
    assertThat(centre.sent()).hasSize(1);
  }

  @Test
  void aRepeatAfterALostCommitSendsTheMessageAndRunsNothing() {
    pay(new TransactionalMessages<>(losing(HalfStep.COMMIT, true), shop));

    assertThatThrownBy(() -> pay(messages)).isInstanceOf(MarkerTakenException.class);

    assertThat(shop.written()).containsExactly("paid");
    assertThat(centre.sent()).hasSize(1);
  }

  @Test
  void aRolledBackKeyIsRefused() {
    centre.prepare(MESSAGE);
    centre.rollback(KEY);

    assertThatThrownBy(() -> pay(messages)).isInstanceOf(RefusedStepException.class);

    assertThat(shop.written()).isEmpty();
  }

  /** Local transactions that fail before the work, with another call of the same key around. */
  private TransactionalMessages<List<String>> failing(Verdict other) {
    return new TransactionalMessages<>(
        centre,
        new LocalTransactions<List<String>>() {
          @Override
          public <T extends @Nullable Object, X extends Exception> T run(
              Marker marker, LocalWork<List<String>, T, X> work) {
            throw new StoreException("waited too long for the marker", null);
          }

          @Override
          public Verdict check(Marker marker) {
            return other;
          }
        });
  }

  @Test
  void aCallThatFailsDoesNotRollBackTheMessageOfAnotherThatIsOpen() {
    messages.send(
        MESSAGE,
        writes -> {
          assertThatThrownBy(() -> pay(failing(Verdict.IN_FLIGHT)))
              .isInstanceOf(StoreException.class);
          writes.add("paid");
          return "receipt";
        });

    assertThat(shop.written()).containsExactly("paid");
    assertThat(centre.sent()).hasSize(1);
  }

  @Test
  void aCallThatFailsTellsOfAnotherThatHasCommitted() {
    assertThatThrownBy(() -> pay(failing(Verdict.COMMITTED))).isInstanceOf(StoreException.class);

    assertThat(centre.sent()).hasSize(1);
  }

  @Test
  void whereTheDatabaseIsAwayNothingIsDecided() {
    assertThatThrownBy(() -> pay(failing(Verdict.UNREACHABLE))).isInstanceOf(StoreException.class);

    assertThat(centre.state(KEY)).isEqualTo(HalfState.PREPARED);
  }

  @Test
  void workThatFailsForTheMarkerOfAnotherKeyIsNotTakenForItsOwn() {
    Marker other = new Marker("order-paid", "4712");

    assertThatThrownBy(
            () ->
                messages.send(
                    MESSAGE,
                    writes -> {
                      writes.add("paid");
                      throw new MarkerTakenException(other, Verdict.COMMITTED);
                    }))
        .isInstanceOf(MarkerTakenException.class);

    assertThat(shop.written()).isEmpty();
    assertThat(centre.sent()).isEmpty();
    assertThat(centre.state(KEY)).isEqualTo(HalfState.ROLLED_BACK);
  }
}
