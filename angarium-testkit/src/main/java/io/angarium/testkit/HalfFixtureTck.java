package io.angarium.testkit;

/** What the parts of {@link HalfMessagesTck} share. */
public interface HalfFixtureTck {
  /** The fixture of this test; the same at every call on one test instance. */
  HalfMessagesFixture fixture();
}
