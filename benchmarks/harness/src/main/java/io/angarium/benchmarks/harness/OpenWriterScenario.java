package io.angarium.benchmarks.harness;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.Handover;
import io.angarium.Message;
import io.angarium.MessageIntake;
import io.angarium.benchmarks.arm.Load;
import io.angarium.jdbc.JdbcConfig;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.testservers.TestDatabase;
import java.sql.Connection;
import java.util.List;

/**
 * A transaction that has sent a message and does not end, while others do: they must not wait for
 * it.
 */
final class OpenWriterScenario implements Scenario {
  private static final List<Contestant> ARMS = List.of(Contestant.ANGARIUM);
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
    LoadScenario loads = new LoadScenario(name(), "none", load, 1, ARMS, List.of());
    loads.run(stage, recorder);
    loads.as("open all the time").during(OpenWriterScenario::hold).run(stage, recorder);
  }

  /** Sends a message in a transaction that is left open until the returned thing is closed. */
  private static AutoCloseable hold(Trial trial, String topic) throws Exception {
    TestDatabase database = trial.database();
    HikariDataSource dataSource = Polls.pool(database);
    Connection connection = dataSource.getConnection();
    connection.setAutoCommit(false);
    JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS)
        .outbox(MessageIntake.of(null), Handover.NONE)
        .on(connection)
        .send(Message.of("kafka:" + topic, new byte[16]).key("key-of-its-own"));
    return () -> {
      connection.rollback();
      connection.close();
      dataSource.close();
    };
  }
}
