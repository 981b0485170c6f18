package io.angarium.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.TimeSource;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The order of the messages of one key when the broker goes away in between. It expects no message
 * to go through in time, so a fixture whose transport gives up soon will do.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface OutageOrderTck extends TransportFixtureTck {

  /** Again and again, for each time a later message must be handed over at the very moment. */
  @Test
  default void noMessageIsStoredBeforeAnEarlierOneOfItsKeyThatFailed() {
    TransportScene scene = new TransportScene(fixture());
    assertOrderIsKept(scene, new TardyCaller(scene, 3), 3);
  }

  /** Such as receipts, which may go over the transport of the relay at any moment. */
  @Test
  default void messagesOfAnotherCallerWithoutAKeyDoNotBreakTheOrder() {
    TransportScene scene = new TransportScene(fixture());
    OtherCaller other = OtherCaller.ofReceipts(scene);
    assertOrderIsKept(scene, new TardyCaller(scene, 3, other::send), 2);
  }

  /** What one relay has been told says nothing of what the other has. */
  @Test
  default void messagesOfAnotherRelayWithAKeyDoNotBreakTheOrder() {
    TransportScene scene = new TransportScene(fixture());
    OtherCaller other = OtherCaller.ofRelay(scene.of("other"));
    Runnable calls =
        () -> {
          other.send();
          other.send();
        };
    TransportScene one = scene.of("one");
    assertOrderIsKept(one, new TardyCaller(one, 3, calls), 3);
  }

  /** With the same keys: there is no order between the messages of two relays. */
  @Test
  default void eachOfTwoRelaysOnOneTransportKeepsItsOrder() {
    TransportScene scene = new TransportScene(fixture());
    TransportScene one = scene.of("one");
    TardyCaller other = new TardyCaller(scene.of("other"), 3);
    TardyCaller caller = new TardyCaller(one, 3, other::call);

    assertOrderIsKept(one, caller, 3);

    other.finish();
    other.assertFirstAppearancesInOrder();
  }

  /** It may wait for the broker, but not for what the other relay does next. */
  @Test
  default void failureOfOneRelayHoldsUpNoKeyOfTheOther() {
    TransportScene scene = new TransportScene(fixture());
    TransportScene one = scene.of("one");
    TransportScene other = scene.of("other");
    one.deliver(List.of(one.message("key")));
    fixture().makeUnavailable();
    one.deliver(List.of(one.message("key")));
    fixture().makeAvailable();
    StoredMessage message = other.message("key");

    long deadline = TimeSource.SYSTEM.nanoTime() + scene.resultLimit().multipliedBy(2).toNanos();
    do {
      assertThat(TimeSource.SYSTEM.nanoTime()).as("acknowledged in time").isLessThan(deadline);
      other.deliver(List.of(message));
    } while (other.resultOf(message) != SendResult.ACKNOWLEDGED);

    assertThat(scene.stored("key")).contains(message.id());
  }

  /** Else two relays that share it could not be told apart. */
  @Test
  default void pipelinedTransportGivesEachRelayAViewOfItsOwn() {
    TransportScene scene = new TransportScene(fixture());
    if (scene.transport.keyOrder() == KeyOrder.PIPELINED) {
      assertThat(scene.transport.of("relay"))
          .isNotSameAs(scene.transport)
          .isNotSameAs(scene.transport.of("relay"));
    }
    assertThat(scene.transport.of("relay").name()).isEqualTo(scene.transport.name());
    assertThat(scene.transport.of("relay").keyOrder()).isEqualTo(scene.transport.keyOrder());
  }

  private void assertOrderIsKept(TransportScene scene, TardyCaller caller, int outages) {
    for (int outage = 1; outage <= outages; outage++) {
      int enough = caller.acknowledged() + 30;
      caller.sendUntil("messages go through", () -> caller.acknowledged() >= enough);

      fixture().makeUnavailable();
      int before = scene.results.failures();
      caller.sendUntil("a message fails", () -> scene.results.failures() > before);
      if (outage % 2 == 1) { // else the broker is back when some results are still to come
        scene.awaitAll();
      }
      fixture().makeAvailable();
    }

    caller.finish();

    caller.assertFirstAppearancesInOrder();
  }
}
