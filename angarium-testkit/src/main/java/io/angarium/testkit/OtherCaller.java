package io.angarium.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.store.StoredMessage;
import java.util.List;

/**
 * Sends messages without a key over the transport of a relay, as receipts are, on threads of its
 * own, and knows nothing of the relay. What becomes of them is not looked at.
 */
final class OtherCaller {
  private final TransportScene scene;
  private final Destination destination;

  OtherCaller(TransportScene scene) {
    this.scene = scene;
    this.destination = scene.fixture.freshDestination();
  }

  /** Hands one over and returns. */
  void send() {
    StoredMessage message = scene.of(Message.of(destination, "receipt".getBytes(UTF_8)));
    new TimeLimit(scene.transport.blockingMax().plus(scene.fixture.patience()))
        .run(
            "send of another caller",
            () -> scene.transport.send(List.of(message), (sent, result) -> {}));
  }
}
