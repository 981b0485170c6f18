package io.angarium.testkit.tck;

import org.junit.jupiter.api.Tag;

/** What the parts of {@link HalfMessagesTck} share. */
@Tag("contract")
public interface HalfFixtureTck {
  /** The fixture of this test; the same at every call on one test instance. */
  HalfMessagesFixture fixture();
}
