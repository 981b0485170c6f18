package io.angarium.rocketmq;

import static io.angarium.rocketmq.QueuesScene.FIRST;
import static io.angarium.rocketmq.QueuesScene.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Unavailable;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.junit.jupiter.api.Test;

/** Two relays on one transport: what one has seen says nothing of what the other has. */
class TwoCallersTest {
  private final QueuesScene scene = new QueuesScene(RocketConfig.of("a:1"));
  private final RocketCaller one = new RocketCaller();
  private final RocketCaller other = new RocketCaller();

  private void failLast() {
    scene.queues.failed(scene.lastRequest(), new RemotingConnectException("away"));
  }

  @Test
  void callsOfOneRelayLetNoMessageOfTheOtherPassAFailedOne() {
    StoredMessage first = message("k");
    StoredMessage second = message("k");
    scene.lookedUp(FIRST);
    scene.send(one, first);
    failLast(); // its relay is busy elsewhere

    scene.send(other, message("other"));
    scene.send(other, message("other"));
    scene.send(one, second);

    assertThat(scene.result(second)).isInstanceOf(Unavailable.class);
  }

  @Test
  void failureOfOneRelayTurnsAwayNoMessageOfTheOther() {
    StoredMessage ofTheOther = message("k");
    scene.lookedUp(FIRST);
    scene.send(one, message("k"));
    failLast();

    scene.send(other, ofTheOther);

    assertThat(scene.sent(1)).containsExactly(ofTheOther);
  }

  @Test
  void whatWaitsBehindAMessageThatFailsAloneIsOfItsRelay() {
    StoredMessage poison = message("k");
    StoredMessage behind = message("k");
    StoredMessage ofTheOther = message("k");
    scene.lookedUp(FIRST);
    scene.send(one, poison);
    scene.send(one, behind);
    scene.send(other, ofTheOther);

    scene.queues.failed(
        scene.lastRequest(), new MQBrokerException(ResponseCode.SYSTEM_ERROR, "UNKNOWN_ERROR"));

    assertThat(scene.result(poison)).isInstanceOf(Failed.class);
    assertThat(scene.result(behind)).isInstanceOf(Unavailable.class);
    assertThat(scene.sent(1)).containsExactly(ofTheOther);
  }
}
