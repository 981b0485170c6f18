package io.angarium.testkit.board;

import io.angarium.board.NodeBoard;
import io.angarium.testkit.ManualClock;
import java.time.Duration;
import java.time.Instant;

class InMemoryNodeBoardTest implements NodeBoardTck {
  private final ManualClock clock = new ManualClock(Instant.parse("2026-11-29T02:00:00Z"));
  private final InMemoryNodeBoard board = new InMemoryNodeBoard(clock);

  private final NodeBoardFixture fixture =
      new NodeBoardFixture() {
        @Override
        public NodeBoard board() {
          return board;
        }

        @Override
        public void pass(Duration time) {
          clock.advance(time);
        }
      };

  @Override
  public NodeBoardFixture fixture() {
    return fixture;
  }
}
