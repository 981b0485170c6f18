package io.angarium.jdbc;

import io.angarium.testkit.board.NodeBoardFixture;
import io.angarium.testkit.board.NodeBoardTck;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

@RequiresServer(Server.POSTGRESQL)
final class PostgresNodeBoardTest implements NodeBoardTck {
  private static JdbcNodeBoardFixture fixture;

  @BeforeAll
  static void create() {
    fixture = new JdbcNodeBoardFixture(EmptyDatabase.postgres());
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
