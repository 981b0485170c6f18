package io.angarium.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult.Refused;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a broker will never take. Part of {@link TransportTck}. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface RefusalTck extends TransportFixtureTck {

  @Test
  default void messageToAnUnknownDestinationIsRefusedWithItsName() {
    TransportScene scene = new TransportScene(fixture());
    StoredMessage lost = scene.of(Message.of(fixture().unknownDestination(), new byte[1]));

    scene.deliver(List.of(lost));

    assertRefused(scene, lost).contains(lost.message().destination().address());
  }

  @Test
  default void messageThatIsTooLargeIsRefusedWithItsSizeOrTheLimit() {
    TransportScene scene = new TransportScene(fixture());
    StoredMessage large = scene.of(fixture().tooLarge(scene.destination));

    scene.deliver(List.of(large));

    assertRefused(scene, large).containsPattern("\\d+");
    assertThat(scene.stored()).isEmpty();
  }

  @Test
  default void refusedMessagesLeaveTheOthersOfTheirCallAlone() {
    TransportScene scene = new TransportScene(fixture());
    StoredMessage first = scene.message("a");
    StoredMessage lost = scene.of(Message.of(fixture().unknownDestination(), new byte[1]));
    StoredMessage large = scene.of(fixture().tooLarge(scene.destination));
    StoredMessage last = scene.message("b");

    scene.deliver(List.of(first, lost, large, last));

    assertRefused(scene, lost);
    assertRefused(scene, large);
    scene.assertAcknowledged(List.of(first, last));
    assertThat(scene.stored()).containsExactlyInAnyOrder(first.id(), last.id());
  }

  @Test
  default void refusedMessageIsRefusedAgain() {
    TransportScene scene = new TransportScene(fixture());
    StoredMessage large = scene.of(fixture().tooLarge(scene.destination));
    scene.deliver(List.of(large));

    scene.deliver(List.of(large));

    assertRefused(scene, large);
  }

  /** Whether it exists is another matter. */
  @Test
  default void addressesThatMayExistHaveNoFault() {
    String existing = fixture().freshDestination().address();
    String unknown = fixture().unknownDestination().address();

    assertThat(fixture().transport().addressFault(existing)).isEmpty();
    assertThat(fixture().transport().addressFault(unknown)).isEmpty();
  }

  /** A reason for a person is a sentence, not the name of an exception. */
  private static org.assertj.core.api.AbstractStringAssert<?> assertRefused(
      TransportScene scene, StoredMessage message) {
    assertThat(scene.resultOf(message)).isInstanceOf(Refused.class);
    return assertThat(scene.resultOf(message))
        .asInstanceOf(type(Refused.class))
        .extracting(Refused::reason)
        .asString()
        .doesNotContainPattern("\\w+(\\.\\w+)+Exception")
        .containsPattern("(\\S+\\s+){3}");
  }
}
