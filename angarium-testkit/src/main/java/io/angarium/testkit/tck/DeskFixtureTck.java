package io.angarium.testkit.tck;

/** What the parts of {@link DeskTck} share: each test asks for the fixture of its instance. */
public interface DeskFixtureTck extends FixtureTck {
  /** The fixture of this test; the same at every call on one test instance. */
  @Override
  DeskFixture fixture();
}
