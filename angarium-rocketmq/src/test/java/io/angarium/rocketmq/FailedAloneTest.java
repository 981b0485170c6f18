package io.angarium.rocketmq;

import static io.angarium.rocketmq.QueuesScene.FIRST;
import static io.angarium.rocketmq.QueuesScene.SECOND;
import static io.angarium.rocketmq.QueuesScene.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Unavailable;
import java.util.List;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.junit.jupiter.api.Test;

/** A message on which the broker fails, and what waits behind it. */
class FailedAloneTest {
  private final Exception fault = new MQBrokerException(ResponseCode.SYSTEM_ERROR, "UNKNOWN_ERROR");
  private final QueuesScene scene = new QueuesScene(RocketConfig.of("a:1"));

  private void failLast() {
    scene.queues.failed(scene.lastRequest(), fault);
  }

  private void acknowledgeLast() {
    scene.queues.stored(scene.lastRequest(), SendStatus.SEND_OK);
  }

  @Test
  void onlyThoseOfItsKeyFailBehindIt() {
    StoredMessage poison = message("k");
    StoredMessage second = message("k");
    StoredMessage other = message("other");
    StoredMessage keyless = message(null);
    scene.lookedUp(FIRST);
    scene.send(poison);
    scene.send(second, other, keyless);

    failLast();

    assertThat(scene.result(poison)).isInstanceOf(Failed.class);
    assertThat(scene.result(second)).isInstanceOf(Unavailable.class);
    assertThat(scene.sent(1)).containsExactly(other, keyless);
  }

  @Test
  void theOthersOfItsRequestAreStoredInTheirOrder() {
    StoredMessage before = message("other");
    StoredMessage poison = message("k");
    StoredMessage second = message("k");
    StoredMessage after = message("other");
    scene.lookedUp(FIRST);
    scene.send(before, poison, second, after);
    failLast();
    assertThat(scene.sent(1)).containsExactly(before);

    acknowledgeLast();
    failLast();
    acknowledgeLast();

    assertThat(scene.requests).hasSize(4);
    assertThat(scene.sent(3)).containsExactly(after);
    assertThat(List.of(before, after))
        .extracting(scene::result)
        .containsOnly(SendResult.ACKNOWLEDGED);
    assertThat(scene.result(second)).isInstanceOf(Unavailable.class);
  }

  @Test
  void oneWithoutAKeyTakesNobodyWithIt() {
    StoredMessage poison = message(null);
    StoredMessage other = message(null);
    scene.lookedUp(FIRST);
    scene.send(poison);
    scene.send(other);

    failLast();

    assertThat(scene.result(poison)).isInstanceOf(Failed.class);
    assertThat(scene.sent(1)).containsExactly(other);
  }

  @Test
  void whatIsHeldForOtherQueuesFailsIfItIsOfItsKey() {
    StoredMessage poison = message("k");
    StoredMessage second = message("k");
    StoredMessage other = message("other");
    scene.lookedUp(FIRST);
    scene.send(poison);
    scene.lookedUp(FIRST, SECOND); // in use when nothing is under way
    scene.send(second, other);

    failLast();

    assertThat(scene.result(second)).isInstanceOf(Unavailable.class);
    assertThat(scene.requests).hasSize(2);
    assertThat(scene.sent(1)).containsExactly(other);
  }

  @Test
  void whoDoesNotKnowOfItYetIsTurnedAwayOnlyWithItsKey() {
    StoredMessage poison = message("k");
    StoredMessage second = message("k");
    StoredMessage other = message("other");
    scene.lookedUp(FIRST);
    scene.send(poison);
    scene.onResult(
        (message, result) -> {
          scene.onResult((m, r) -> {});
          scene.send(second, other);
        });

    failLast();

    assertThat(scene.result(second)).isInstanceOf(Unavailable.class);
    assertThat(scene.sent(1)).containsExactly(other);
  }

  @Test
  void whenItIsTriedAgainTheOthersOfItsKeyMayFollow() {
    StoredMessage poison = message("k");
    StoredMessage second = message("k");
    scene.lookedUp(FIRST);
    scene.send(poison, second);
    failLast();
    failLast();

    scene.send(poison, second);
    assertThat(scene.sent(2)).containsExactly(poison, second);
    acknowledgeLast();

    assertThat(scene.result(second)).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  /** Else each of many would cost an attempt, one request after the other. */
  @Test
  void manyThatFailInARowAreNotToBlame() {
    StoredMessage[] messages =
        List.of("a", "b", "c", "d", "e").stream()
            .map(QueuesScene::message)
            .toArray(StoredMessage[]::new);
    scene.lookedUp(FIRST);
    scene.send(messages);
    failLast();

    failLast();
    failLast();
    failLast();

    assertThat(scene.requests).hasSize(4);
    assertThat(messages)
        .extracting(message -> scene.result(message) instanceof Failed)
        .containsExactly(true, true, true, false, false);
    assertThat(scene.result(messages[4])).isInstanceOf(Unavailable.class);
  }

  @Test
  void failuresWithOthersStoredInBetweenAreNotInARow() {
    StoredMessage last = message("z");
    scene.lookedUp(FIRST);
    scene.send(message("a"), message("b"), message("c"), message("d"), message("e"), last);
    failLast();

    for (int i = 0; i < 2; i++) {
      failLast();
      failLast();
      acknowledgeLast();
    }

    assertThat(scene.sent(6)).containsExactly(last);
    assertThat(scene.result(last)).isEqualTo(SendResult.ACKNOWLEDGED);
  }
}
