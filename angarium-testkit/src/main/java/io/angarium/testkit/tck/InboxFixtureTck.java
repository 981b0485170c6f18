package io.angarium.testkit.tck;

import org.junit.jupiter.api.Tag;

/**
 * What the parts of {@link InboxTck} share.
 *
 * @param <C> what gives access to a transaction
 */
@Tag("contract")
public interface InboxFixtureTck<C> {
  /** The fixture of this test; the same at every call on one test instance. */
  InboxFixture<C> fixture();
}
