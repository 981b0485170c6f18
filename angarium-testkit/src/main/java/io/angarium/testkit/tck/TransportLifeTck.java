package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.TransportScene.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Unavailable;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** What a transport says of itself, its flush and its end. Part of {@link TransportTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface TransportLifeTck extends TransportFixtureTck {

  @Test
  default void nameAndTimesMakeSense() {
    TransportScene scene = new TransportScene(fixture());

    assertThat(scene.transport.name()).matches("[a-z][a-z0-9-]*");
    assertThat(scene.destination.transport()).isIn("", scene.transport.name());
    assertThat(scene.transport.keyOrder()).isNotNull().isSameAs(scene.transport.keyOrder());
    assertThat(scene.transport.resultMax()).isPositive();
    assertThat(scene.transport.blockingMax())
        .isGreaterThanOrEqualTo(Duration.ZERO)
        .isLessThanOrEqualTo(scene.transport.resultMax());
  }

  /**
   * Each relay has its own view. The tests of each transport cover what a view learns about
   * failures.
   */
  @Test
  default void viewsForCallersSendByTheTransport() {
    TransportScene scene = new TransportScene(fixture());
    List<StoredMessage> messages = scene.messages(2);
    scene.results.expect(messages);

    for (StoredMessage message : messages) {
      Transport view = scene.transport.of("relay");
      view.send(List.of(message), scene.results);
      assertThat(view.name()).isEqualTo(scene.transport.name());
      assertThat(view.keyOrder()).isEqualTo(scene.transport.keyOrder());
      assertThat(view.resultMax()).isEqualTo(scene.transport.resultMax());
      assertThat(view.blockingMax()).isEqualTo(scene.transport.blockingMax());
    }

    scene.awaitAll();
    scene.assertAcknowledged(messages);
  }

  /** An application interrupts its threads as it stops, or gives up waiting for one. */
  @Test
  default void threadThatIsInterruptedStaysSoAndBreaksNothing() {
    TransportScene scene = new TransportScene(fixture());
    List<StoredMessage> interrupted = scene.messages(2);
    AtomicBoolean stayed = new AtomicBoolean();
    scene.results.expect(interrupted);

    new TimeLimit(scene.resultLimit())
        .run(
            "send",
            () -> {
              Thread.currentThread().interrupt();
              scene.transport.send(interrupted, scene.results);
              stayed.set(Thread.interrupted());
            });
    scene.awaitAll();

    assertThat(stayed).isTrue();
    List<StoredMessage> next = List.of(scene.message("next-1"), scene.message("next-2"));
    scene.deliver(next);
    scene.assertAcknowledged(next);
    assertThat(scene.stored())
        .containsAll(
            interrupted.stream()
                .filter(m -> scene.resultOf(m) == SendResult.ACKNOWLEDGED)
                .map(StoredMessage::id)
                .toList());
  }

  @Test
  default void flushWaitsForResults() {
    TransportScene scene = new TransportScene(fixture());
    List<StoredMessage> messages = scene.messages(100);
    scene.send(messages);

    scene.transport.flush(scene.resultLimit());

    scene.assertAcknowledged(messages);
  }

  @Test
  default void flushOfNothingReturns() {
    TransportScene scene = new TransportScene(fixture());

    new TimeLimit(fixture().patience())
        .run("flush", () -> scene.transport.flush(Duration.ofDays(1)));

    scene.results.check();
  }

  @Test
  default void closeGivesTheMissingResultsAndMayBeCalledTwice() {
    TransportScene scene = new TransportScene(fixture());
    List<StoredMessage> messages = scene.messages(200);
    scene.send(messages);

    new TimeLimit(scene.resultLimit())
        .run(
            "close",
            () -> {
              scene.transport.close();
              scene.transport.close();
            });

    scene.awaitAll();
    List<StoredMessage> acknowledged =
        messages.stream().filter(m -> scene.resultOf(m) == SendResult.ACKNOWLEDGED).toList();
    assertThat(scene.stored()).doesNotHaveDuplicates().containsAll(ids(acknowledged));
  }

  @Test
  default void closedTransportTakesNothing() {
    TransportScene scene = new TransportScene(fixture());
    List<StoredMessage> messages = scene.messages(3);
    scene.transport.close();

    scene.deliver(messages);

    assertThat(messages)
        .extracting(scene::resultOf)
        .allMatch(result -> result instanceof Failed || result instanceof Unavailable);
    assertThat(scene.stored()).isEmpty();
  }

  @Test
  default void closedTransportMayBeFlushed() {
    TransportScene scene = new TransportScene(fixture());
    scene.transport.close();

    new TimeLimit(fixture().patience())
        .run("flush", () -> scene.transport.flush(Duration.ofMillis(50)));

    scene.results.check();
  }
}
