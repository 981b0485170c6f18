package io.angarium.rocketmq;

import static io.angarium.rocketmq.QueuesScene.ELSEWHERE;
import static io.angarium.rocketmq.QueuesScene.FIRST;
import static io.angarium.rocketmq.QueuesScene.SECOND;
import static io.angarium.rocketmq.QueuesScene.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.intake.StoredMessage;
import io.angarium.rocketmq.RocketConfig.Acknowledge;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.apache.rocketmq.remoting.exception.RemotingSendRequestException;
import org.apache.rocketmq.remoting.exception.RemotingTimeoutException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

/** What a broker gets that stores messages, perhaps, and does not say that they are safe. */
class RestsTest {
  private static final Duration PROBE = Duration.ofSeconds(5);
  private static final int PROBES_OF_AN_HOUR = 720;

  private final QueuesScene scene = new QueuesScene(RocketConfig.of("a:1"));

  /** As the relay does: the same message every five seconds. */
  private void probeForAnHour(StoredMessage message, Runnable answer) {
    for (int probe = 0; probe < PROBES_OF_AN_HOUR; probe++) {
      int before = scene.requests.size();
      scene.send(message);
      if (scene.requests.size() > before) {
        answer.run();
      }
      assertThat(scene.result(message)).isInstanceOf(Unavailable.class);
      scene.clock.advance(PROBE);
    }
  }

  private void answerLast(SendStatus status) {
    scene.queues.stored(scene.lastRequest(), status);
  }

  private void letLastTimeOut() {
    scene.queues.failed(scene.lastRequest(), new RemotingTimeoutException("no answer"));
  }

  @ParameterizedTest
  @EnumSource(value = SendStatus.class, names = "SEND_OK", mode = Mode.EXCLUDE)
  void anHourWithoutAReplicaOrADiskMakesFewCopies(SendStatus status) {
    StoredMessage message = message("k");
    scene.lookedUp(FIRST);

    probeForAnHour(message, () -> answerLast(status));

    assertThat(scene.requests).hasSizeBetween(50, 70);
    assertThat(scene.result(message))
        .asInstanceOf(type(Unavailable.class))
        .extracting(Unavailable::reason)
        .asString()
        .contains("'broker-a'", status.name());
  }

  /** Brokers wait five seconds for their disk, by default, and we three for their answer. */
  @Test
  void anHourWithoutAnswersMakesFewCopies() {
    scene.lookedUp(FIRST);

    probeForAnHour(message("k"), this::letLastTimeOut);

    assertThat(scene.requests).hasSizeBetween(50, 70);
  }

  /** As the client does itself with one that does not answer. */
  @Test
  void anHourOfConnectionsThatEndMakesFewCopies() {
    scene.lookedUp(FIRST);

    probeForAnHour(
        message("k"),
        () -> scene.queues.failed(scene.lastRequest(), new RemotingSendRequestException("a:1")));

    assertThat(scene.requests).hasSizeBetween(50, 70);
  }

  @Test
  void oneMessageIsLetThroughAtTheEndOfAPause() {
    StoredMessage probe = message("a");
    StoredMessage other = message("b");
    scene.lookedUp(FIRST, SECOND);
    scene.send(message("a"));
    answerLast(SendStatus.SLAVE_NOT_AVAILABLE);

    scene.send(probe, other);
    assertThat(scene.requests).hasSize(1);
    scene.clock.advance(Duration.ofSeconds(1));
    scene.send(probe, other);

    assertThat(scene.requests).hasSize(2);
    assertThat(scene.sent(1)).containsExactly(probe);
    assertThat(scene.result(other)).isInstanceOf(Unavailable.class);
  }

  /** As when the topic gets one more queue while something is under way to another broker. */
  @Test
  void whatWasHeldBackIsTurnedAwayToo() {
    StoredMessage first = message("c");
    StoredMessage second = message("a");
    scene.lookedUp(FIRST, ELSEWHERE);
    scene.send(message("b"));
    answerLast(SendStatus.SLAVE_NOT_AVAILABLE);
    scene.send(message("a"));
    scene.lookedUp(FIRST, SECOND, ELSEWHERE);

    scene.send(first, second);
    answerLast(SendStatus.SEND_OK);

    assertThat(scene.requests).hasSize(2);
    assertThat(scene.result(first)).isInstanceOf(Unavailable.class);
    assertThat(scene.result(second)).isInstanceOf(Unavailable.class);
  }

  @Test
  void theFirstGoodAnswerEndsAllPauses() {
    StoredMessage message = message("k");
    scene.lookedUp(FIRST);
    probeForAnHour(message, () -> answerLast(SendStatus.FLUSH_DISK_TIMEOUT));
    scene.clock.advance(Duration.ofMinutes(1));

    scene.send(message);
    answerLast(SendStatus.SEND_OK);
    int before = scene.requests.size();
    scene.send(message("k"));

    assertThat(scene.result(message)).isEqualTo(SendResult.ACKNOWLEDGED);
    assertThat(scene.requests).hasSize(before + 1);
  }

  /** It would be one more copy no longer. */
  @Test
  void aBrokerThatSaysItStoresNothingIsNotSpared() {
    StoredMessage message = message("k");
    scene.lookedUp(FIRST);
    probeForAnHour(message, () -> answerLast(SendStatus.FLUSH_SLAVE_TIMEOUT));
    scene.clock.advance(Duration.ofMinutes(1));

    scene.send(message);
    scene.queues.failed(
        scene.lastRequest(),
        new MQBrokerException(ResponseCode.SYSTEM_ERROR, "in-sync replicas not enough"));
    int before = scene.requests.size();
    scene.send(message);

    assertThat(scene.requests).hasSize(before + 1);
  }

  @Test
  void whatCouldNotBeAskedIsAskedAgainAfterTheSamePause() {
    StoredMessage message = message("k");
    scene.lookedUp(FIRST);
    scene.send(message);
    letLastTimeOut();
    scene.clock.advance(Duration.ofMillis(200));

    scene.send(message);
    scene.queues.failed(scene.lastRequest(), new RemotingConnectException("a:1"));
    scene.send(message);
    assertThat(scene.requests).hasSize(2);
    scene.clock.advance(Duration.ofMillis(200));
    scene.send(message);

    assertThat(scene.requests).hasSize(3);
  }

  @Test
  void answersToWhatWasUnderWayMakeThePauseNeitherLongerNorShorter() {
    scene.lookedUp(FIRST, SECOND);
    scene.send(message("a"), message("b"));
    assertThat(scene.requests).hasSize(2);

    scene.queues.stored(scene.requests.get(0), SendStatus.FLUSH_DISK_TIMEOUT);
    scene.queues.stored(scene.requests.get(1), SendStatus.SEND_OK);
    scene.send(message("a"));
    assertThat(scene.requests).hasSize(2);
    scene.clock.advance(Duration.ofMillis(200));
    scene.send(message("a"));

    assertThat(scene.requests).hasSize(3);
  }

  @Test
  void anotherBrokerOfTheTopicGetsItsMessages() {
    scene.lookedUp(FIRST, ELSEWHERE);
    scene.send(message("a"), message("b"));
    assertThat(scene.requests).extracting(batch -> batch.lane().queue).contains(FIRST, ELSEWHERE);

    scene.requests.forEach(
        batch ->
            scene.queues.stored(
                batch,
                batch.lane().queue.equals(FIRST)
                    ? SendStatus.FLUSH_DISK_TIMEOUT
                    : SendStatus.SEND_OK));
    scene.send(message("a"), message("b"));

    assertThat(scene.requests).hasSize(3);
    assertThat(scene.lastRequest().lane().queue).isEqualTo(ELSEWHERE);
  }

  @Test
  void laterOnesOfAKeyAreNotLetThroughBeforeTheOneThatWasTurnedAway() {
    StoredMessage first = message("k");
    StoredMessage second = message("k");
    scene.lookedUp(FIRST);
    scene.send(first);
    scene.send(second);
    answerLast(SendStatus.FLUSH_DISK_TIMEOUT);
    scene.send(first, second);
    scene.clock.advance(Duration.ofMillis(200));

    scene.send(first, second);
    assertThat(scene.sent(0)).containsExactly(first);
    assertThat(scene.sent(1)).containsExactly(first);
    answerLast(SendStatus.SEND_OK);
    scene.send(second);

    assertThat(scene.sent(2)).containsExactly(second);
  }

  @ParameterizedTest
  @EnumSource(SendStatus.class)
  void whoSaysSoHasThemCountAsSentWhenTheyAreStored(SendStatus status) {
    QueuesScene bold = new QueuesScene(RocketConfig.of("a:1").acknowledge(Acknowledge.WHEN_STORED));
    StoredMessage message = message("k");
    bold.lookedUp(FIRST);
    bold.send(message);

    bold.queues.stored(bold.lastRequest(), status);

    assertThat(bold.result(message)).isEqualTo(SendResult.ACKNOWLEDGED);
  }
}
