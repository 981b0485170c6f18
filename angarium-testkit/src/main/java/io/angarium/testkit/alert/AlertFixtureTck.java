package io.angarium.testkit.alert;

/** What the parts of {@link AlertTck} share: each test asks for the fixture of its instance. */
public interface AlertFixtureTck {
  /** The fixture of this test; the same at every call on one test instance. */
  AlertFixture fixture();

  /** What tests do with it. */
  default AlertScene scene() {
    return new AlertScene(fixture());
  }
}
