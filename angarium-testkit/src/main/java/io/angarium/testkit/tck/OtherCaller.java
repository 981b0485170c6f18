package io.angarium.testkit.tck;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import java.util.List;

/**
 * Sends messages over the transport of a relay, on its own threads and without knowledge of the
 * relay. It stands for receipts or for another relay. Nobody checks the results of its messages.
 */
final class OtherCaller {
  private final TransportScene scene;
  private final Destination destination;
  private final boolean keyed;
  private int sent;

  private OtherCaller(TransportScene scene, Destination destination, boolean keyed) {
    this.scene = scene;
    this.destination = destination;
    this.keyed = keyed;
  }

  /** Sends elsewhere, without keys. */
  static OtherCaller ofReceipts(TransportScene scene) {
    return new OtherCaller(scene, scene.fixture.freshDestination(), false);
  }

  /** Sends to the same destination, each with a key of its own. */
  static OtherCaller ofRelay(TransportScene scene) {
    return new OtherCaller(scene, scene.destination, true);
  }

  /** Hands one over and returns. */
  void send() {
    String key = keyed ? "other-" + ++sent : null;
    StoredMessage message = scene.of(Message.of(destination, "receipt".getBytes(UTF_8)).key(key));
    new TimeLimit(scene.transport.blockingMax().plus(scene.fixture.patience()))
        .run(
            "send of another caller",
            () -> scene.transport.send(List.of(message), (sent, result) -> {}));
  }
}
