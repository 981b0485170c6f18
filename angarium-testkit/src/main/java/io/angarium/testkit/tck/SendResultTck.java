package io.angarium.testkit.tck;

import static io.angarium.testkit.tck.TransportScene.ids;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.intake.StoredMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** That every message handed over has exactly one result. Part of {@link TransportTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface SendResultTck extends TransportFixtureTck {

  @Test
  default void everyMessageHasOneResultAndIsStoredOnce() {
    TransportScene scene = new TransportScene(fixture());
    List<StoredMessage> messages = new ArrayList<>(scene.messages(200));
    messages.add(scene.message(null));
    messages.add(scene.message(null));

    scene.deliver(messages);
    scene.transport.close(); // nothing may be given twice, not even at the end

    scene.assertAcknowledged(messages);
    scene.results.check();
    assertThat(scene.stored()).containsExactlyInAnyOrderElementsOf(ids(messages));
  }

  @Test
  default void messageOfItsOwnCallHasItsResultToo() {
    TransportScene scene = new TransportScene(fixture());
    List<StoredMessage> messages = scene.messages(3);

    messages.forEach(message -> scene.deliver(List.of(message)));

    scene.assertAcknowledged(messages);
    assertThat(scene.stored()).containsExactlyInAnyOrderElementsOf(ids(messages));
  }

  @Test
  default void callWithoutMessagesIsAllowed() {
    TransportScene scene = new TransportScene(fixture());
    StoredMessage message = scene.message(null);

    scene.send();
    scene.send(message);
    scene.send();
    scene.awaitAll();

    scene.assertAcknowledged(List.of(message));
  }

  @Test
  default void resultsComeWithoutAnotherCall() {
    TransportScene scene = new TransportScene(fixture());
    List<StoredMessage> messages = scene.messages(1);

    scene.send(messages);

    assertThat(scene.results.awaitAny(scene.resultLimit())).isTrue();
    scene.assertAcknowledged(messages);
  }

  @Test
  default void laterCallsAreMadeWhileResultsOfEarlierOnesComeIn() {
    TransportScene scene = new TransportScene(fixture());
    List<StoredMessage> messages = scene.messages(1_000);

    for (int i = 0; i < messages.size(); i += 10) {
      scene.send(messages.subList(i, i + 10));
    }
    scene.awaitAll();

    scene.assertAcknowledged(messages);
    assertThat(scene.stored()).containsExactlyInAnyOrderElementsOf(ids(messages));
  }

  @Test
  default void callsOfSeveralThreadsAreTaken() {
    TransportScene scene = new TransportScene(fixture());
    List<List<StoredMessage>> batches =
        IntStream.range(0, 40).mapToObj(i -> List.of(scene.message(null))).toList();
    batches.forEach(scene.results::expect);

    new TimeLimit(Duration.ofMinutes(1))
        .run(
            "sending from several threads",
            () ->
                batches.parallelStream()
                    .forEach(batch -> scene.transport.send(batch, scene.results)));
    scene.awaitAll();

    assertThat(scene.stored())
        .containsExactlyInAnyOrderElementsOf(ids(batches.stream().flatMap(List::stream).toList()));
  }
}
