package io.angarium.testkit.tck;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

/** What the parts of {@link TransportTck} share: each test asks for the fixture of its instance. */
@Tag("contract")
public interface TransportFixtureTck {
  /** The fixture of this test; the same at every call on one test instance. */
  TransportFixture fixture();

  /** Closes the fixture. */
  @AfterEach
  default void closeFixture() {
    fixture().close();
  }
}
