package io.angarium.rocketmq;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Destination;
import io.angarium.intake.StoredMessage;
import io.angarium.rocketmq.QueueLane.Batch;
import io.angarium.rocketmq.RocketCaller.Call;
import io.angarium.testkit.ManualClock;
import io.angarium.testtransports.Messages;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingConnectException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Moments that no real cluster can be brought to at will. */
class QueuesTest {
  private static final MessageQueue FIRST = new MessageQueue("t", "broker-a", 0);
  private static final MessageQueue SECOND = new MessageQueue("t", "broker-a", 1);
  private static final Duration FEWER_AFTER = Duration.ofMinutes(2);
  private final Exception away = new RemotingConnectException("a:1");
  private final Exception missing = new MQBrokerException(ResponseCode.TOPIC_NOT_EXIST, "");

  private final ManualClock clock = ManualClock.create();
  private final RocketConfig config =
      RocketConfig.of("a:1")
          .holdMax(Duration.ofSeconds(1))
          .missingAfter(Duration.ofMinutes(2))
          .fewerQueuesAfter(FEWER_AFTER);
  private final List<Batch> requests = new ArrayList<>();
  private final RocketCaller caller = new RocketCaller();
  private final Results results = new Results();
  private final Queues queues =
      new Queues(config, new RocketDiagnosis(config), clock, requests::add);

  private static StoredMessage message(@Nullable String key) {
    return Messages.of(new Destination("rocketmq", "t"), key, "x");
  }

  private void send(StoredMessage... messages) {
    Call call = queues.beginCall(caller, List.of(messages));
    List<RocketAttempt> attempts = new ArrayList<>();
    for (StoredMessage message : messages) {
      RocketAddress address = new RocketAddress("t", "");
      attempts.add(new RocketAttempt(message, address, "", results, call, clock.nanoTime()));
    }
    queues.offer(attempts);
  }

  private void lookedUp(MessageQueue... found) {
    queues.lookedUp("t", List.of(found), clock.nanoTime());
  }

  private List<StoredMessage> sent(int request) {
    return requests.get(request).attempts().stream().map(attempt -> attempt.message).toList();
  }

  private void assertUnavailable(StoredMessage message) {
    assertThat(results.of(message)).isInstanceOf(Unavailable.class);
  }

  @Test
  void whatIsHeldForOtherQueuesFailsWithTheRequestBeforeIt() {
    StoredMessage first = message("k");
    StoredMessage second = message("k");
    lookedUp(FIRST);
    send(first);
    lookedUp(FIRST, SECOND); // in use when nothing is under way
    send(second);

    queues.failed(requests.get(0), away);

    assertUnavailable(first);
    assertUnavailable(second);
    assertThat(requests).hasSize(1);
  }

  /** So that nothing is sent late that the relay has handed over again. */
  @Test
  void requestThatWasGivenUpIsNotUnderWay() {
    lookedUp(FIRST);
    send(message("k"));
    Batch request = requests.get(0);
    assertThat(queues.isUnderWay(request)).isTrue();

    clock.advance(Duration.ofSeconds(5));
    queues.expire(clock.nanoTime(), Duration.ofSeconds(4).toNanos());

    assertThat(queues.isUnderWay(request)).isFalse();
  }

  @Test
  void otherQueuesAreInUseWhenNothingIsUnderWay() {
    StoredMessage first = message("k");
    StoredMessage second = message("k");
    lookedUp(FIRST);
    send(first);
    lookedUp(FIRST, SECOND);
    send(second);

    queues.stored(requests.get(0), SendStatus.SEND_OK);

    assertThat(results.of(first)).isEqualTo(SendResult.ACKNOWLEDGED);
    assertThat(sent(1)).containsExactly(second);
  }

  @Test
  void fewerQueuesAreInUseOnlyAfterAWhile() {
    lookedUp(FIRST, SECOND);
    lookedUp(FIRST);
    send(message("a"), message("b"), message("c"), message("d"));
    assertThat(requests).extracting(batch -> batch.lane().queue).contains(FIRST, SECOND);
    requests.forEach(batch -> queues.stored(batch, SendStatus.SEND_OK));
    requests.clear();

    clock.advance(FEWER_AFTER);
    lookedUp(FIRST);
    send(message("a"), message("b"), message("c"), message("d"));

    assertThat(requests).extracting(batch -> batch.lane().queue).containsOnly(FIRST);
  }

  @Test
  void fewerQueuesAreNeverInUseWhereThatIsSet() {
    QueuesScene scene = new QueuesScene(config.fewerQueuesAfter(Duration.ZERO));
    scene.lookedUp(FIRST, SECOND);
    scene.lookedUp(FIRST);

    scene.clock.advance(Duration.ofDays(40));
    scene.lookedUp(FIRST);
    scene.send(message("a"), message("b"), message("c"), message("d"));

    assertThat(scene.requests).extracting(batch -> batch.lane().queue).contains(FIRST, SECOND);
  }

  @Test
  void whoMayNotKnowOfAFailureIsTurnedAwayOnce() {
    StoredMessage early = message("k");
    StoredMessage late = message("k");
    lookedUp(FIRST);
    send(message("k"));
    queues.failed(requests.get(0), away);

    send(early);
    send(late);

    assertUnavailable(early);
    assertThat(requests).hasSize(2);
    assertThat(sent(1)).containsExactly(late);
  }

  /** Such as the probe of a circuit, which each second time would be spent else. */
  @Test
  void whatFailedMayGoAgainAtOnceAndTheOthersOfItsKeyBehindIt() {
    StoredMessage first = message("k");
    StoredMessage second = message("k");
    lookedUp(FIRST);
    send(first);
    send(second);
    queues.failed(requests.get(0), away);

    send(first);
    queues.failed(requests.get(1), away);
    send(first, second);

    assertThat(requests).hasSize(3);
    assertThat(sent(1)).containsExactly(first);
    assertThat(sent(2)).containsExactly(first, second);
  }

  @Test
  void anotherThanTheFirstThatFailedOfItsKeyIsTurnedAway() {
    StoredMessage first = message("k");
    StoredMessage second = message("k");
    lookedUp(FIRST);
    send(first);
    send(second);
    queues.failed(requests.get(0), away);

    send(second, first);

    assertThat(requests).hasSize(2);
    assertThat(sent(1)).containsExactly(first);
  }

  @Test
  void aFailureOfOneKeyTurnsNoOtherAway() {
    StoredMessage other = message("other");
    lookedUp(FIRST);
    send(message("k"));
    queues.failed(requests.get(0), away);

    send(other);

    assertThat(sent(1)).containsExactly(other);
  }

  @Test
  void aCallWithoutKeysIsNotTheOneThatMayNotKnowOfAFailure() {
    StoredMessage early = message("k");
    StoredMessage others = message(null);
    lookedUp(FIRST);
    send(message("k"));
    queues.failed(requests.get(0), away);

    send(others);
    send(early);

    assertUnavailable(early);
    assertThat(sent(1)).containsExactly(others);
  }

  @Test
  void whatWaitedTooLongIsNotSentAnyMore() {
    StoredMessage slow = message("k");
    lookedUp(FIRST);
    send(message("k"));
    send(slow);

    clock.advance(Duration.ofSeconds(2));
    queues.stored(requests.get(0), SendStatus.SEND_OK);

    assertUnavailable(slow);
    assertThat(requests).hasSize(1);
  }

  @Test
  void aRefusedRequestGoesAgainMessageByMessageInOrder() {
    StoredMessage first = message("k");
    StoredMessage second = message("k");
    Exception illegal = new MQBrokerException(ResponseCode.MESSAGE_ILLEGAL, "too large");
    lookedUp(FIRST);
    send(message("k"));
    send(first, second);
    queues.stored(requests.get(0), SendStatus.SEND_OK);
    assertThat(sent(1)).containsExactly(first, second);

    queues.failed(requests.get(1), illegal);
    queues.failed(requests.get(2), illegal);
    queues.stored(requests.get(3), SendStatus.SEND_OK);

    assertThat(results.of(first)).isInstanceOf(Refused.class);
    assertThat(results.of(second)).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  /**
   * Words of SendMessageProcessor, old and new; all but the last with the code of any other error.
   */
  @ParameterizedTest
  @CsvSource({
    "1, in-sync replicas not enough",
    "1, 'create mapped file failed, server is busy or broken.'",
    "1, '[PC_SYNCHRONIZED]broker busy, start flow control for a while'",
    "2, '[PC_SYNCHRONIZED]broker busy, start flow control for a while'"
  })
  void aBrokerThatCannotWriteCostsNoAttempt(int code, String remark) {
    StoredMessage message = message("k");
    lookedUp(FIRST);
    send(message);

    queues.failed(requests.get(0), new MQBrokerException(code, remark));

    assertUnavailable(message);
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(strings = {"UNKNOWN_ERROR", "no, the create mapped file failed"})
  void anyOtherErrorOfABrokerCostsAnAttempt(@Nullable String remark) {
    StoredMessage message = message("k");
    lookedUp(FIRST);
    send(message);

    queues.failed(requests.get(0), new MQBrokerException(ResponseCode.SYSTEM_ERROR, remark));

    assertThat(results.of(message)).isInstanceOf(SendResult.Failed.class);
  }

  @Test
  void aTopicIsMissingOnlyWhenItWasAtEveryLookForAWhile() {
    StoredMessage early = message("k");
    StoredMessage late = message("k");
    queues.notLookedUp("t", true, missing, clock.nanoTime());
    send(early);
    clock.advance(Duration.ofSeconds(2));
    queues.expire(clock.nanoTime(), Long.MAX_VALUE);
    assertUnavailable(early);

    clock.advance(Duration.ofMinutes(1));
    queues.notLookedUp("t", false, away, clock.nanoTime()); // no broker at all
    queues.notLookedUp("t", true, missing, clock.nanoTime());
    clock.advance(Duration.ofMinutes(1));
    send(message("another"));
    send(message("k"));
    clock.advance(Duration.ofSeconds(2));
    queues.expire(clock.nanoTime(), Long.MAX_VALUE);
    clock.advance(Duration.ofMinutes(1));
    send(message("another"));
    send(late);
    clock.advance(Duration.ofSeconds(2));
    queues.expire(clock.nanoTime(), Long.MAX_VALUE);

    assertThat(results.of(late)).isInstanceOf(Refused.class);
  }

  private final Exception denied =
      new MQBrokerException(ResponseCode.TOPIC_NOT_EXIST, "topic[t] not exist");

  /** As when a topic in use is deleted, or its broker goes away. */
  private void missingForTwoMinutesWith(Exception error) {
    lookedUp(FIRST);
    queues.notLookedUp("t", true, missing, clock.nanoTime());
    clock.advance(Duration.ofMinutes(2));
    StoredMessage tried = message("k");
    send(tried);
    queues.failed(requests.get(0), error);
    send(message("k")); // whose caller does not know of the failure
    assertUnavailable(tried);
  }

  @Test
  void aTopicThatIsDeletedWhileItIsInUseIsMissingAfterAWhile() {
    StoredMessage late = message("k");
    missingForTwoMinutesWith(denied);
    assertThat(queues.topics()).containsExactly(new Queues.Wanted("t", true));

    queues.notLookedUp("t", true, missing, clock.nanoTime());
    send(late);
    clock.advance(Duration.ofSeconds(2));
    queues.expire(clock.nanoTime(), Long.MAX_VALUE);

    assertThat(requests).hasSize(1);
    assertThat(results.of(late)).isInstanceOf(Refused.class);
  }

  /** The name servers do not know it then, either; but no broker said so. */
  @Test
  void aTopicOfABrokerThatIsAwayIsNotGivenUp() {
    StoredMessage late = message("k");
    missingForTwoMinutesWith(away);

    queues.notLookedUp("t", true, missing, clock.nanoTime());
    send(late);
    queues.stored(requests.get(1), SendStatus.SEND_OK);

    assertThat(results.of(late)).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  @Test
  void aDeletedTopicIsGivenUpOnlyWhenNothingIsUnderWay() {
    StoredMessage first = message("k");
    StoredMessage second = message("k");
    missingForTwoMinutesWith(denied);
    send(first);
    queues.notLookedUp("t", true, missing, clock.nanoTime());
    send(second);
    assertThat(queues.topics()).containsExactly(new Queues.Wanted("t", true));

    queues.stored(requests.get(1), SendStatus.SEND_OK);
    lookedUp(FIRST); // it is there again

    assertThat(results.of(first)).isEqualTo(SendResult.ACKNOWLEDGED);
    assertThat(sent(2)).containsExactly(second);
  }

  @Test
  void whatHasNoAnswerIsGivenUpAndALateAnswerChangesNothing() {
    StoredMessage first = message("k");
    lookedUp(FIRST);
    send(first);

    clock.advance(Duration.ofSeconds(10));
    queues.expire(clock.nanoTime(), Duration.ofSeconds(5).toNanos());
    queues.stored(requests.get(0), SendStatus.SEND_OK);

    assertUnavailable(first);
    assertThat(results.next().result()).isInstanceOf(Unavailable.class);
    assertThat(queues.isIdle()).isTrue();
  }
}
