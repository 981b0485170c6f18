package io.angarium.jdbc;

import io.angarium.testkit.tck.BuryActTck;
import io.angarium.testkit.tck.DeskActsTck;
import io.angarium.testkit.tck.DeskFixture;
import io.angarium.testkit.tck.DiscardedTck;
import io.angarium.testkit.tck.OperationStepTck;
import io.angarium.testkit.tck.OperationTck;
import io.angarium.testkit.tck.PauseTck;

final class H2DeskTest
    implements DeskActsTck, DiscardedTck, PauseTck, BuryActTck, OperationTck, OperationStepTck {
  private final DeskFixture fixture =
      new JdbcDeskFixture(EmptyDatabase.h2InMemory(), JdbcDatabase::desk);

  @Override
  public DeskFixture fixture() {
    return fixture;
  }
}
