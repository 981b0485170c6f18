package io.angarium.testkit;

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
    OtherCaller other = new OtherCaller(scene);
    assertOrderIsKept(scene, new TardyCaller(scene, 3, other::send), 2);
  }

  private void assertOrderIsKept(TransportScene scene, TardyCaller caller, int outages) {
    for (int outage = 1; outage <= outages; outage++) {
      int enough = caller.acknowledged() + 30;
      caller.sendUntil("messages go through", () -> caller.acknowledged() >= enough);

      fixture().makeUnavailable();
      int before = scene.results.failures();
      caller.sendUntil("a message fails", () -> scene.results.failures() > before);
      fixture().makeAvailable();
    }

    caller.finish();

    caller.assertFirstAppearancesInOrder();
  }
}
