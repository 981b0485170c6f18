package io.angarium.testkit.tck;

import org.junit.jupiter.api.AfterEach;

/**
 * The contract of {@link io.angarium.half.check.CheckStore}, by itself and with the loop that uses
 * it, and of {@link io.angarium.half.decide.HalfMessageDesk}. A test class implements it and gives
 * a fixture, a new one for each test.
 */
public interface CheckBackTck extends CheckListTck, CheckVerdictTck, HalfDeskTck {
  /** Closes the fixture. */
  @AfterEach
  default void closeCheckBack() {
    fixture().close();
  }
}
