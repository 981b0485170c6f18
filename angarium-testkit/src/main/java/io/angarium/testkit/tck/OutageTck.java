package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.TransportScene.ids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.Message;
import io.angarium.TimeSource;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Acknowledged;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What happens while a broker is away, and afterwards. Part of {@link TransportTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface OutageTck extends TransportFixtureTck {

  @Test
  default void brokerThatWentAwayMakesMessagesUnavailable() {
    TransportScene scene = new TransportScene(fixture());
    scene.deliver(List.of(scene.message("before")));
    fixture().makeUnavailable();
    List<StoredMessage> messages = scene.messages(10);

    scene.deliver(messages);

    assertUnavailable(scene, messages);
  }

  @Test
  default void brokerThatWasNeverThereMakesMessagesUnavailable() {
    TransportScene scene = new TransportScene(fixture());
    fixture().makeUnavailable();
    List<StoredMessage> messages = new ArrayList<>(scene.messages(10));
    messages.add(scene.message(null));
    messages.add(scene.of(Message.of(fixture().unknownDestination(), new byte[1])));

    scene.deliver(messages);

    assertUnavailable(scene, messages);
  }

  @Test
  default void messagesGoThroughWhenTheBrokerIsBack() {
    TransportScene scene = new TransportScene(fixture());
    scene.deliver(List.of(scene.message("before")));
    fixture().makeUnavailable();
    List<StoredMessage> messages = scene.messages(10);
    scene.deliver(messages);
    fixture().makeAvailable();

    sendUntilAcknowledged(scene, messages);

    assertThat(scene.stored()).containsAll(ids(messages));
  }

  @Test
  default void flushEndsAtItsTimeoutWhileTheBrokerIsAway() {
    TransportScene scene = new TransportScene(fixture());
    fixture().makeUnavailable();
    List<StoredMessage> messages = scene.messages(3);
    scene.send(messages);

    new TimeLimit(fixture().patience())
        .run("flush", () -> scene.transport.flush(Duration.ofMillis(50)));

    scene.awaitAll();
    assertUnavailable(scene, messages);
  }

  @Test
  default void closeWhileTheBrokerIsAwayGivesTheMissingResults() {
    TransportScene scene = new TransportScene(fixture());
    scene.deliver(List.of(scene.message("before")));
    fixture().makeUnavailable();
    List<StoredMessage> messages = scene.messages(10);
    scene.send(messages);

    new TimeLimit(scene.resultLimit()).run("close", scene.transport::close);

    scene.awaitAll();
    assertThat(messages)
        .extracting(scene::resultOf)
        .noneMatch(result -> result instanceof Acknowledged || result instanceof Refused);
  }

  private static void assertUnavailable(TransportScene scene, List<StoredMessage> messages) {
    assertThat(messages)
        .allSatisfy(
            message ->
                assertThat(scene.resultOf(message))
                    .asInstanceOf(type(Unavailable.class))
                    .extracting(Unavailable::reason)
                    .asString()
                    .isNotBlank());
  }

  /** Tries again what is unavailable still, for a client may need a moment to find its broker. */
  private static void sendUntilAcknowledged(TransportScene scene, List<StoredMessage> messages) {
    long deadline = TimeSource.SYSTEM.nanoTime() + scene.resultLimit().toNanos();
    List<StoredMessage> missing = messages;
    while (!missing.isEmpty()) {
      assertThat(TimeSource.SYSTEM.nanoTime())
          .as("in time, though missing still: %s", missing)
          .isLessThan(deadline);
      scene.deliver(missing);
      missing = missing.stream().filter(m -> scene.resultOf(m) != SendResult.ACKNOWLEDGED).toList();
    }
  }
}
