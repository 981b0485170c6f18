package io.angarium.testkit.tck;

import org.junit.jupiter.api.AfterEach;

/**
 * The contract of {@link io.angarium.inbox.Inbox}. A test class implements it and gives a fixture,
 * a new one for each test.
 *
 * @param <C> what gives access to a transaction
 */
public interface InboxTck<C> extends InboxKeyTck<C>, InboxBatchTck<C>, InboxRaceTck<C> {
  /** Closes the fixture. */
  @AfterEach
  default void closeInbox() {
    fixture().close();
  }
}
