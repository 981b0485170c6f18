package io.angarium.jdbc;

import io.angarium.board.NodeBoard;
import io.angarium.testkit.board.NodeBoardFixture;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** The fixture of the contract of the node board on a real database. */
final class JdbcNodeBoardFixture implements NodeBoardFixture {
  private final DataSource dataSource;
  private final NodeBoard board;

  JdbcNodeBoardFixture(DataSource dataSource) {
    this.dataSource = dataSource;
    this.board = JdbcDatabase.open(dataSource, JdbcStoreFixture.CONFIG).nodeBoard();
  }

  /** Much faster than a new database for each test. */
  void empty() {
    EmptyDatabase.execute(dataSource, "DELETE FROM outbox_status", "DELETE FROM outbox_minute");
  }

  @Override
  public NodeBoard board() {
    return board;
  }

  @Override
  public void pass(Duration time) {
    LockSupport.parkNanos(time.toNanos());
  }
}
