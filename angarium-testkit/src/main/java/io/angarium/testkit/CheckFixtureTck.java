package io.angarium.testkit;

/** What the parts of {@link CheckBackTck} share. */
public interface CheckFixtureTck {
  /** The fixture of this test; the same at every call on one test instance. */
  CheckBackFixture fixture();
}
