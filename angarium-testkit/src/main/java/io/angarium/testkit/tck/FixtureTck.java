package io.angarium.testkit.tck;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** What the parts of {@link StoreTck} share: each test asks for the fixture of its instance. */
@Tag("contract")
public interface FixtureTck {
  /** The fixture of this test; the same at every call on one test instance. */
  StoreFixture fixture();

  /** Closes the fixture. */
  @AfterEach
  default void closeFixture() {
    fixture().close();
  }
}
