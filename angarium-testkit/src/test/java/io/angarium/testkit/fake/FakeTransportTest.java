package io.angarium.testkit.fake;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.testkit.fake.FakeTransport.Outcome;
import io.angarium.testkit.memory.InMemoryDatabase;
import io.angarium.testkit.memory.Tx;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FakeTransportTest {
  private final InMemoryDatabase database = InMemoryDatabase.create();
  private final FakeTransport transport = FakeTransport.pipelined();
  private final List<String> results = new ArrayList<>();

  @Test
  void acknowledgesAtOnceAndStoresInOrder() {
    List<StoredMessage> messages = messages("k", "k", "j");

    send(messages);

    assertThat(transport.stored("fake:orders")).containsExactlyElementsOf(messages);
    assertThat(results).containsExactly("Acknowledged", "Acknowledged", "Acknowledged");
  }

  @Test
  void laterMessagesOfAKeyAreNotStoredBehindAFailedOne() {
    List<StoredMessage> messages = messages("k", "k", "j");
    transport.failNext(1);

    send(messages);

    assertThat(transport.stored("fake:orders")).containsExactly(messages.get(2));
    assertThat(results).containsExactly("Failed", "Failed", "Acknowledged");
  }

  /** Of another caller, as receipts are: it says nothing of what the relay has seen. */
  @Test
  void failedMessageOfAKeyIsNotForgottenAtACallWithoutKeys() {
    List<StoredMessage> messages = messages("k", "k", null);
    List<Runnable> waiting = new ArrayList<>();
    transport.failNext(1).resultsOn(waiting::add);

    send(messages.subList(0, 1));
    waiting.remove(0).run(); // the relay has not seen it yet
    send(messages.subList(2, 3));
    send(messages.subList(1, 2));
    waiting.forEach(Runnable::run);

    assertThat(transport.stored("fake:orders")).containsExactly(messages.get(2));
    assertThat(results).containsExactly("Failed", "Acknowledged", "Failed");
  }

  @Test
  void chainedTransportMayStoreALaterOneAndReportsTheCallersFault() {
    FakeTransport chained = FakeTransport.chained().failNext(1);
    List<StoredMessage> messages = messages("k", "k");

    chained.send(messages, (message, result) -> {});

    assertThat(chained.stored("fake:orders")).containsExactly(messages.get(1));
    assertThat(chained.orderFaults()).hasSize(1);
  }

  @Test
  void refusedMessageDoesNotStopThoseBehindIt() {
    List<StoredMessage> messages = messages("k", "k");
    transport.refuseNext(1);

    send(messages);

    assertThat(transport.stored("fake:orders")).containsExactly(messages.get(1));
    assertThat(results).containsExactly("Refused", "Acknowledged");
  }

  @Test
  void lostAcknowledgementIsStored() {
    List<StoredMessage> messages = messages("k");
    transport.loseAckNext(1);

    send(messages);

    assertThat(transport.stored("fake:orders")).hasSize(1);
    assertThat(results).containsExactly("Failed");
  }

  @Test
  void downDestinationIsUnavailableUntilItIsUp() {
    List<StoredMessage> messages = messages("k");
    transport.unavailable("fake:orders", true);

    send(messages);
    transport.unavailable("fake:orders", false);
    send(messages);

    assertThat(results).containsExactly("Unavailable", "Acknowledged");
  }

  @Test
  void manualAcknowledgementOfALaterOneStoresTheEarlierOnesOfItsKey() {
    List<StoredMessage> messages = messages("k", "j", "k");
    transport.manual();
    send(messages);
    assertThat(results).isEmpty();

    transport.resolve(messages.get(2).id(), Outcome.ACKNOWLEDGE);
    transport.resolve(messages.get(0).id(), Outcome.FAIL);

    assertThat(transport.stored("fake:orders")).containsExactly(messages.get(0), messages.get(2));
    assertThat(results).containsExactly("Acknowledged", "Failed");
    assertThat(transport.inFlight()).containsExactly(messages.get(1));
  }

  @Test
  void messageHandedOverBeforeTheFailureWasToldIsNotStored() {
    List<StoredMessage> messages = messages("k", "k");
    List<Runnable> waiting = new ArrayList<>();
    transport.failNext(1).resultsOn(waiting::add);

    send(messages.subList(0, 1));
    send(messages.subList(1, 2));
    waiting.forEach(Runnable::run);
    waiting.clear();
    send(messages.subList(1, 2)); // perhaps on its way before the results were seen
    waiting.forEach(Runnable::run);
    assertThat(transport.broker().stored()).isEmpty();
    send(List.of()); // the caller has seen them now
    send(messages);

    assertThat(transport.stored("fake:orders")).containsExactlyElementsOf(messages);
  }

  /** The simulation, seed 24818: the second one failed after the results of the first were seen. */
  @Test
  void laterOneOfAGroupThatIsTriedAgainIsNotStoredWithoutTheFirst() {
    List<StoredMessage> messages = messages("k", "k");
    transport.manual();
    send(messages);
    transport.resolve(messages.get(0).id(), Outcome.FAIL);
    send(List.of());
    transport.resolve(messages.get(1).id(), Outcome.FAIL);

    send(messages);
    transport.resolve(messages.get(0).id(), Outcome.LOSE_ACK);
    transport.resolve(messages.get(1).id(), Outcome.ACKNOWLEDGE);

    assertThat(transport.broker().stored()).isEmpty();

    send(List.of()); // the caller has seen them now
    send(messages);
    transport.acknowledgeAll();

    assertThat(transport.broker().stored()).isEqualTo(messages);
  }

  @Test
  void closeGivesTheMissingResultsAndLaterSendsFail() {
    transport.manual();
    send(messages("k", "j"));

    transport.close();
    transport.close();
    send(messages("x"));

    assertThat(results).containsExactly("Failed", "Failed", "Failed");
    assertThat(transport.broker().stored()).isEmpty();
  }

  private void send(List<StoredMessage> messages) {
    transport.send(messages, (message, result) -> results.add(result.getClass().getSimpleName()));
  }

  private List<StoredMessage> messages(String... keys) {
    int before = database.unsent().size();
    try (Tx tx = database.begin()) {
      for (String key : keys) {
        byte[] payload = String.valueOf(key).getBytes(StandardCharsets.UTF_8);
        tx.outbox().send(Message.of("fake:orders", payload).key(key));
      }
      tx.commit();
    }
    return database.unsent().stream()
        .sorted((a, b) -> Long.compare(a.position().sequence(), b.position().sequence()))
        .skip(before)
        .toList();
  }
}
