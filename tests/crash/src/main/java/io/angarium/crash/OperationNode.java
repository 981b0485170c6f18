package io.angarium.crash;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.operation.Operation;
import io.angarium.operation.OperationStore;
import io.angarium.operation.OperationStore.Turn;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** A node that carries out operations in small steps until it is killed. */
final class OperationNode {
  /** Another node goes on so long after a kill. */
  static final Duration LEASE = Duration.ofSeconds(2);

  private static final int MESSAGES = 3;
  private static final Duration PAUSE = Duration.ofMillis(5);

  private OperationNode() {}

  /**
   * Runs a node.
   *
   * @param args URL, user and password of the database, name of the node
   */
  public static void main(String[] args) {
    try (HikariDataSource pool = Service.pool(args[0], args[1], args[2])) {
      OperationStore store = JdbcDatabase.open(pool, JdbcConfig.DEFAULTS).operationStore();
      while (true) {
        for (Turn turn : store.take(args[3], LEASE)) {
          Optional<Operation> after;
          do {
            after = store.step(turn, MESSAGES, LEASE, null);
            LockSupport.parkNanos(PAUSE.toNanos());
          } while (after.isPresent() && after.get().state() == Operation.State.RUNNING);
        }
        LockSupport.parkNanos(PAUSE.toNanos());
      }
    }
  }
}
