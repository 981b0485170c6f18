package io.angarium.jdbc;

import io.angarium.testkit.board.NodeBoardFixture;
import io.angarium.testkit.board.NodeBoardTck;
import io.angarium.testservers.OnOneJdk;
import io.angarium.testservers.RequiresMariaDb;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

@OnOneJdk
@RequiresMariaDb
final class MariaDbNodeBoardTest implements NodeBoardTck {
  private static JdbcNodeBoardFixture fixture;

  @BeforeAll
  static void create() {
    fixture = new JdbcNodeBoardFixture(EmptyDatabase.mariaDb());
  }

  @BeforeEach
  void empty() {
    fixture.empty();
  }

  @Override
  public NodeBoardFixture fixture() {
    return fixture;
  }
}
