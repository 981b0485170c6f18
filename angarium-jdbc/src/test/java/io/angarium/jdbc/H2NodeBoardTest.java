package io.angarium.jdbc;

import io.angarium.testkit.board.NodeBoardFixture;
import io.angarium.testkit.board.NodeBoardTck;

final class H2NodeBoardTest implements NodeBoardTck {
  private final NodeBoardFixture fixture = new JdbcNodeBoardFixture(EmptyDatabase.h2InMemory());

  @Override
  public NodeBoardFixture fixture() {
    return fixture;
  }
}
