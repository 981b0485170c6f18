package io.angarium.testkit.tck;

import io.angarium.Destination;
import io.angarium.desk.Desk;
import io.angarium.operation.OperationDesk;
import io.angarium.operation.OperationStore;
import io.angarium.pause.PauseStore;
import java.time.Duration;

/**
 * One desk under test, and the store of its database by which the suites bring messages into each
 * stage. The store keeps a history of sent messages, and keeps messages for {@link #CONFIRMED}
 * after they were sent until their consumers have confirmed them. Discarded messages, pauses,
 * operations and entries of the audit are gone at the begin of each test, too.
 */
public interface DeskFixture extends StoreFixture {
  /** Only messages for this destination wait for a confirmation. */
  Destination CONFIRMED = Destination.parse("fake:confirmed");

  /** The desk under test; the same at every call. */
  Desk desk();

  /**
   * Makes every message that is dead or sent now older: lays the time of its death or sending back
   * by this time, in whole seconds, or moves the database's clock forth.
   */
  void age(Duration age);

  /** Makes every operation older by a time, in whole seconds: as if it had begun before. */
  void ageOperations(Duration age);

  /** The pauses of the desk's database as relays see them. */
  PauseStore pauses();

  /** The operations of the desk's database as persons see them. */
  OperationDesk operationDesk();

  /** The operations of the desk's database as nodes see them. */
  OperationStore operationStore();

  /** Makes the time of every pause be over. */
  void endPauses();

  /** Makes every write to the audit fail, until {@link #mendAudit}. */
  void breakAudit();

  /** Lets the audit be written again. */
  void mendAudit();
}
