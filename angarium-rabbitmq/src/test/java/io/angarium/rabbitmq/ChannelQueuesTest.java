package io.angarium.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.Channel;
import com.rabbitmq.client.Connection;
import com.rabbitmq.client.ShutdownSignalException;
import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.testkit.ManualClock;
import io.angarium.testtransports.Messages;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.lang.reflect.Proxy;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Moments that no real broker can be brought to at will. */
class ChannelQueuesTest {
  private static final int LARGE = 100_000; // goes the careful way at first
  private static final int WINDOW = 30;
  private static final Duration CONFIRM_TIMEOUT = Duration.ofSeconds(5);

  private final ManualClock clock = ManualClock.create();
  private final RabbitConfig config =
      RabbitConfig.of("a:1").channels(1).window(WINDOW).confirmTimeout(CONFIRM_TIMEOUT);
  private final Results results = new Results();
  private final ChannelQueues lanes = new ChannelQueues(config, new RabbitDiagnosis(config));
  private final RabbitSession session =
      new RabbitSession(fake(Connection.class), new Socket(), clock.nanoTime());

  @BeforeEach
  void connect() {
    lanes.connected(session);
    openChannels();
  }

  private void openChannels() {
    lanes.withoutLink(session).forEach(lane -> lanes.opened(link(lane)));
  }

  private Link link(ChannelQueue lane) {
    return new Link(session, lane, fake(Channel.class));
  }

  /** Open, and otherwise silent. */
  @SuppressWarnings("unchecked")
  private static <T> T fake(Class<T> type) {
    return (T)
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> method.getName().equals("isOpen") ? true : null);
  }

  private StoredMessage offer(int bytes) {
    StoredMessage message =
        Messages.of(Message.of(new Destination("rabbitmq", "/q"), new byte[bytes]));
    offer(message);
    return message;
  }

  private void offer(StoredMessage message) {
    offer(message, new RabbitAddress("", "q"));
  }

  private StoredMessage offerTo(String exchange) {
    StoredMessage message =
        Messages.of(Message.of(new Destination("rabbitmq", exchange + "/key"), new byte[1]));
    offer(message, new RabbitAddress(exchange, "key"));
    return message;
  }

  private void offer(StoredMessage message, RabbitAddress address) {
    lanes.offer(List.of(new RabbitAttempt(message, address, results, clock.nanoTime())));
  }

  private ChannelQueues.Batch next() {
    ChannelQueues.Batch batch = nextUnwritten();
    batch.attempts().forEach(attempt -> attempt.written(clock.nanoTime()));
    return batch;
  }

  /** As while the publisher is writing. */
  private ChannelQueues.Batch nextUnwritten() {
    ChannelQueues.Batch batch = lanes.next(clock.nanoTime());
    assertThat(batch).as("something to publish").isNotNull();
    return batch;
  }

  private static ShutdownSignalException closedFor(int code) {
    AMQP.Channel.Close close =
        new AMQP.Channel.Close.Builder().replyCode(code).replyText("for a reason").build();
    return new ShutdownSignalException(false, false, close, null);
  }

  @Test
  void theOneForWhichAChannelBreaksAloneIsRefused() {
    StoredMessage large = offer(LARGE);
    ChannelQueues.Batch batch = next();

    lanes.broke(batch.link(), closedFor(406), clock.nanoTime());

    assertThat(results.of(large)).isInstanceOf(Refused.class);
  }

  /** The channel carries one at a time, but the broker owes an answer to another one. */
  @Test
  void nobodyIsBlamedWhileAMessageThatWasGivenUpMayBeTheReason() {
    StoredMessage silent = offer(LARGE);
    next();
    StoredMessage innocent = offer(LARGE);
    session.heard(clock.nanoTime());
    clock.advance(CONFIRM_TIMEOUT.plusMillis(1));
    StoredMessage later = offer(LARGE);
    lanes.expire(clock.nanoTime());
    assertThat(results.of(silent)).isInstanceOf(Unavailable.class);
    Link link = next().link();

    lanes.broke(link, closedFor(406), clock.nanoTime());
    openChannels();

    assertThat(List.of(innocent, later)).noneMatch(m -> has(m, Refused.class));
    ChannelQueues.Batch again = next();
    lanes.acknowledged(again.link(), 1, false);
    assertThat(results.of(again.attempts().get(0).message)).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  private boolean has(StoredMessage message, Class<? extends SendResult> type) {
    return results.has(message) && type.isInstance(results.of(message));
  }

  /** It came back too late, and when it was sent again it was routed. */
  @Test
  void aLateReturnSaysNothingOfTheNextTry() {
    StoredMessage first = offer(1);
    Link link = next().link();
    session.heard(clock.nanoTime());
    clock.advance(CONFIRM_TIMEOUT.plusMillis(1));
    lanes.expire(clock.nanoTime());
    assertThat(results.next().result()).isInstanceOf(Unavailable.class);
    lanes.returned(link, first.id().toString(), new Link.Return(312, "NO_ROUTE"));
    lanes.acknowledged(link, 1, false);

    List<SendResult> second = offerAgain(first);
    Link again = next().link();
    lanes.acknowledged(again, 2, false);

    assertThat(second).containsExactly(SendResult.ACKNOWLEDGED);
  }

  private List<SendResult> offerAgain(StoredMessage message) {
    List<SendResult> given = new ArrayList<>();
    RabbitAddress address = new RabbitAddress("", "q");
    lanes.offer(
        List.of(
            new RabbitAttempt(
                message, address, (sent, result) -> given.add(result), clock.nanoTime())));
    return given;
  }

  /** The confirm of the first try must not take what is said of the second. */
  @Test
  void aMessageThatCameBackTwiceIsNotAcknowledged() {
    StoredMessage first = offer(1);
    Link link = next().link();
    session.heard(clock.nanoTime());
    clock.advance(CONFIRM_TIMEOUT.plusMillis(1));
    lanes.expire(clock.nanoTime());
    assertThat(results.next().result()).isInstanceOf(Unavailable.class);
    List<SendResult> second = offerAgain(first);
    next();

    lanes.returned(link, first.id().toString(), new Link.Return(312, "NO_ROUTE"));
    lanes.returned(link, first.id().toString(), new Link.Return(312, "NO_ROUTE"));
    lanes.acknowledged(link, 2, true);

    assertThat(second).singleElement().isInstanceOf(Refused.class);
  }

  @Test
  void largePayloadsArePublishedFewAtATime() {
    StoredMessage proof = offer(LARGE);
    lanes.acknowledged(next().link(), 1, false); // from now on the usual way
    assertThat(results.of(proof)).isEqualTo(SendResult.ACKNOWLEDGED);
    for (int i = 0; i < 20; i++) {
      offer(LARGE);
    }

    assertThat(next().attempts()).hasSize(3); // 256 KiB, and what exceeds it
  }

  @Test
  void whatWaitedTooLongIsNotPublishedAnyMore() {
    StoredMessage old = offer(1);

    clock.advance(config.holdMax().plusMillis(1));

    assertThat(lanes.next(clock.nanoTime())).isNull();
    assertThat(results.of(old)).isInstanceOf(Unavailable.class);
  }

  @Test
  void allOnAChannelThatBreaksGoAgainOneAtATime() {
    StoredMessage first = offer(1);
    StoredMessage second = offer(1);
    lanes.broke(next().link(), closedFor(404), clock.nanoTime());
    openChannels();

    ChannelQueues.Batch one = next();
    assertThat(one.attempts()).hasSize(1);
    assertThat(lanes.next(clock.nanoTime())).isNull();
    lanes.acknowledged(one.link(), 1, false);
    lanes.acknowledged(next().link(), 2, false);

    assertThat(results.of(first)).isEqualTo(SendResult.ACKNOWLEDGED);
    assertThat(results.of(second)).isEqualTo(SendResult.ACKNOWLEDGED);
    assertThat(lanes.isIdle()).isTrue();
  }

  /** It may have been declared since, and nothing is refused for want of an answer. */
  @Test
  void anExchangeThatCannotBeLookedUpAnyMoreIsNotCalledMissing() {
    StoredMessage message =
        Messages.of(Message.of(new Destination("rabbitmq", "orders/paid"), new byte[1]));
    RabbitAddress address = new RabbitAddress("orders", "paid");
    lanes.offer(List.of(new RabbitAttempt(message, address, results, clock.nanoTime())));
    lanes.lookedUp("orders", false, clock.nanoTime());

    lanes.notLookedUp("orders");
    clock.advance(config.holdMax().plusMillis(1));
    lanes.expire(clock.nanoTime());

    assertThat(results.of(message)).isInstanceOf(Unavailable.class);
  }

  /** B breaks the channel for it; A went the same way and was not confirmed yet. */
  @Test
  void whatIsRefusedAfterItsChannelBrokeForAnotherIsCalledPerhapsStored() {
    lanes.lookedUp("orders", true, clock.nanoTime());
    StoredMessage first = offerTo("orders");
    StoredMessage second = offerTo("orders");
    lanes.broke(next().link(), closedFor(404), clock.nanoTime());
    openChannels();

    lanes.lookedUp("orders", false, clock.nanoTime());
    clock.advance(config.holdMax().plusMillis(1));
    lanes.expire(clock.nanoTime());

    assertThat(List.of(first, second))
        .allSatisfy(
            message -> assertThat(refusal(message)).contains("does not exist", "perhaps stored"));
  }

  @Test
  void whatWasAloneOnAChannelThatBrokeIsNotCalledPerhapsStored() {
    lanes.lookedUp("orders", true, clock.nanoTime());
    StoredMessage alone = offerTo("orders");
    lanes.broke(next().link(), closedFor(404), clock.nanoTime());
    openChannels();

    lanes.lookedUp("orders", false, clock.nanoTime());
    clock.advance(config.holdMax().plusMillis(1));
    lanes.expire(clock.nanoTime());

    assertThat(refusal(alone)).contains("does not exist").doesNotContain("perhaps stored");
  }

  @Test
  void whatCameBackOrWasForbiddenAfterItsChannelBrokeForAnotherIsCalledPerhapsStored() {
    offer(1);
    offer(1);
    lanes.broke(next().link(), closedFor(404), clock.nanoTime());
    openChannels();

    ChannelQueues.Batch returned = next();
    StoredMessage lost = returned.attempts().get(0).message;
    lanes.returned(returned.link(), lost.id().toString(), new Link.Return(312, "NO_ROUTE"));
    lanes.acknowledged(returned.link(), 1, false);
    ChannelQueues.Batch refused = next();
    lanes.broke(refused.link(), closedFor(403), clock.nanoTime());

    assertThat(refusal(lost)).contains("NO_ROUTE", "perhaps stored");
    assertThat(refusal(refused.attempts().get(0).message)).contains("grant", "perhaps stored");
  }

  private String refusal(StoredMessage message) {
    assertThat(results.of(message)).isInstanceOf(Refused.class);
    return ((Refused) results.of(message)).reason();
  }

  /** A takeover waits no longer than that, and what is stored later would be out of order. */
  @Test
  void anOlderMessageBehindAYoungerOneHasItsResultInTimeOfItsOwn() {
    fillTheWindow();
    StoredMessage older = offerTo("orders"); // held back until the exchange is found
    clock.advance(config.holdMax().minusMillis(1));
    StoredMessage younger = offer(1);
    lanes.lookedUp("orders", true, clock.nanoTime());

    clock.advance(CONFIRM_TIMEOUT.dividedBy(2).plusMillis(2));
    lanes.expire(clock.nanoTime());

    assertThat(results.has(younger)).isFalse();
    assertThat(results.of(older)).isInstanceOf(Unavailable.class);
  }

  /** As when the machine stood still and the publisher is the first to wake up. */
  @Test
  void anOlderMessageBehindAYoungerOneIsNotPublishedTooLate() {
    Link link = fillTheWindow();
    StoredMessage older = offerTo("orders");
    clock.advance(config.holdMax().minusMillis(1));
    StoredMessage younger = offer(1);
    lanes.lookedUp("orders", true, clock.nanoTime());

    clock.advance(CONFIRM_TIMEOUT.dividedBy(2).plusMillis(2));
    lanes.acknowledged(link, WINDOW, true);

    assertThat(next().attempts()).extracting(attempt -> attempt.message).containsExactly(younger);
    assertThat(results.of(older)).isInstanceOf(Unavailable.class);
  }

  private Link fillTheWindow() {
    for (int i = 0; i < WINDOW; i++) {
      offer(1);
    }
    ChannelQueues.Batch full = next();
    assertThat(full.attempts()).hasSize(WINDOW);
    return full.link();
  }

  @Test
  void noMoreThanTheWindowIsWithoutAConfirm() {
    Link link = fillTheWindow();
    offer(1);
    offer(1);
    assertThat(lanes.next(clock.nanoTime())).isNull();

    lanes.acknowledged(link, 1, false);

    assertThat(next().attempts()).hasSize(1);
    assertThat(lanes.next(clock.nanoTime())).isNull();
  }

  @Test
  void theTimeForAConfirmBeginsWhenTheMessageIsWritten() {
    StoredMessage slow = offer(1);
    RabbitAttempt attempt = nextUnwritten().attempts().get(0);
    attempt.writing(clock.nanoTime());
    clock.advance(CONFIRM_TIMEOUT.plusMillis(1));
    assertThat(lanes.expire(clock.nanoTime())).isFalse();
    attempt.written(clock.nanoTime());
    clock.advance(CONFIRM_TIMEOUT);
    lanes.expire(clock.nanoTime());
    assertThat(results.has(slow)).isFalse();

    clock.advance(Duration.ofMillis(1));
    lanes.expire(clock.nanoTime());

    assertThat(results.of(slow)).isInstanceOf(Unavailable.class);
  }

  /** Sent for ever it would hold up the others each time; what waits behind it is not to blame. */
  @Test
  void whatCannotBeWrittenInAllItsTimeHasFailedAndItsConnectionIsOfNoUse() {
    StoredMessage slow = offer(1);
    StoredMessage behind = offer(1);
    nextUnwritten().attempts().get(0).writing(clock.nanoTime());
    session.heard(clock.nanoTime());

    clock.advance(
        config.holdMax().plus(CONFIRM_TIMEOUT.multipliedBy(3).dividedBy(2)).plusMillis(1));
    boolean useless = lanes.expire(clock.nanoTime());

    assertThat(useless).isTrue();
    assertThat(results.of(slow)).isInstanceOf(Failed.class);
    assertThat(((Failed) results.of(slow)).reason()).contains("within 12500ms", "confirm-timeout");
    assertThat(results.of(behind)).isInstanceOf(Unavailable.class);
  }
}
