package io.angarium.testkit.tck;

import org.junit.jupiter.api.Tag;

/** What the parts of {@link CheckBackTck} share. */
@Tag("contract")
public interface CheckFixtureTck {
  /** The fixture of this test; the same at every call on one test instance. */
  CheckBackFixture fixture();
}
