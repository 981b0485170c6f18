package io.angarium.testkit.board;

import io.angarium.board.NodeBoard;
import java.time.Duration;

/** The node board of one database under test; it is empty at the begin of each test. */
public interface NodeBoardFixture {
  /** The board; the same at every call. */
  NodeBoard board();

  /** Lets time pass, at least so much, by the clock of the board. */
  void pass(Duration time);
}
