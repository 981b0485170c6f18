package io.angarium.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.store.OutboxStore;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which outbox a store, and what is handed over to its relay, belongs to. */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
public interface SourceTck extends FixtureTck {
  @Test
  default void storeSaysWhichOutboxItIs() {
    fixture().outbox().lastSequence(); // some tell from their first connection on

    assertThat(fixture().outbox().source()).isNotNull();
    try (OutboxStore another = fixture().anotherOutbox()) {
      another.lastSequence();
      assertThat(another.source()).isEqualTo(fixture().outbox().source());
    }
  }

  @Test
  default void handOverNamesTheOutboxThatItWasWrittenTo() {
    StoreScene scene = new StoreScene(fixture());
    try (StoreFixture.OpenTransaction transaction = fixture().begin()) {
      transaction.insert(List.of(scene.keyless(), scene.keyed(StoreScene.A)));
      transaction.commit();

      assertThat(transaction.written().keyless()).hasSize(1);
      assertThat(transaction.written().source()).isEqualTo(fixture().outbox().source());
    }
  }
}
