package io.angarium.testkit.tck;

import org.junit.jupiter.api.AfterEach;

/**
 * The contract of {@link io.angarium.half.HalfMessages}. A test class implements it and gives a
 * fixture, a new one for each test.
 */
public interface HalfMessagesTck extends HalfStateTck, HalfMessageTck, HalfBatchTck, HalfRaceTck {
  /** Closes the fixture. */
  @AfterEach
  default void closeHalfMessages() {
    fixture().close();
  }
}
