package io.angarium.benchmarks.harness;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.Handover;
import io.angarium.Message;
import io.angarium.MessageIntake;
import io.angarium.benchmarks.arm.Load;
import io.angarium.jdbc.JdbcConfig;
import io.angarium.jdbc.JdbcDatabase;
import java.sql.Connection;
import java.util.List;

/**
 * A transaction that has sent a message and does not end, while others do: they must not wait for
 * it.
 */
final class OpenWriterScenario implements Scenario {
  private static final Lineup LINEUP = Lineup.of(List.of(Contestant.ANGARIUM), 1);

  private final Load load;

  /**
   * @param load of the others, as long as the transaction is open
   */
  OpenWriterScenario(Load load) {
    this.load = load;
  }

  @Override
  public String name() {
    return "open-writer";
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    LoadScenario loads = LoadScenario.of(name(), "none", load, LINEUP);
    loads.run(stage, recorder);
    loads.during("open all the time", OpenWriterScenario::hold).run(stage, recorder);
  }

  /** Sends a message in a transaction that is left open until the returned thing is closed. */
  private static AutoCloseable hold(Trial trial) throws Exception {
    HikariDataSource dataSource = trial.pool();
    Connection connection = dataSource.getConnection();
    connection.setAutoCommit(false);
    JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS)
        .outbox(MessageIntake.of(null), Handover.NONE)
        .on(connection)
        .send(Message.of("kafka:" + trial.topic(), new byte[16]).key("key-of-its-own"));
    return () -> {
      connection.rollback();
      connection.close();
      dataSource.close();
    };
  }
}
