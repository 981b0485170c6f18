package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.TransportScene.every;
import static io.angarium.testkit.tck.TransportScene.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult.Refused;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The order of the messages of one key, see {@link KeyOrder}; with {@link OutageOrderTck}. Part of
 * {@link TransportTck}.
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface TransportOrderTck extends OutageOrderTck {

  @Test
  default void messagesOfAKeyKeepTheOrderOfTheirCall() {
    TransportScene scene = new TransportScene(fixture());
    int keys = scene.transport.keyOrder() == KeyOrder.PIPELINED ? 7 : 70;
    List<StoredMessage> messages =
        IntStream.range(0, 70).mapToObj(i -> scene.message("key-" + i % keys)).toList();

    scene.deliver(messages);

    scene.assertAcknowledged(messages);
    for (int key = 0; key < keys; key++) {
      assertThat(scene.stored("key-" + key)).isEqualTo(ids(every(keys, key, messages)));
    }
  }

  @Test
  default void messagesOfAKeyKeepTheOrderOfTheirCalls() {
    TransportScene scene = new TransportScene(fixture());
    List<StoredMessage> messages =
        IntStream.range(0, 50).mapToObj(i -> scene.message("key")).toList();

    for (StoredMessage message : messages) {
      scene.send(message);
      if (scene.transport.keyOrder() == KeyOrder.CHAINED) {
        scene.awaitAll();
      }
    }
    scene.awaitAll();

    scene.assertAcknowledged(messages);
    assertThat(scene.stored("key")).isEqualTo(ids(messages));
  }

  @Test
  default void refusedMessageDoesNotHoldUpItsKey() {
    TransportScene scene = new TransportScene(fixture());
    StoredMessage first = scene.message("key");
    StoredMessage large = scene.of(fixture().tooLarge(scene.destination).key("key"));
    StoredMessage last = scene.message("key");

    scene.deliverInOrder(List.of(first, large, last));

    assertThat(scene.resultOf(large)).isInstanceOf(Refused.class);
    scene.assertAcknowledged(List.of(first, last));
    assertThat(scene.stored("key")).containsExactly(first.id(), last.id());
  }
}
