package io.angarium.benchmarks.harness;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.Message;
import io.angarium.benchmarks.arm.Load;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.JdbcConfig;
import java.sql.Connection;
import java.util.List;
import java.util.Map;

/**
 * A transaction that has sent a message and does not end, while others do: they must not wait for
 * it. In the order without, with, with, without.
 */
final class OpenWriterScenario implements Scenario {
  static final String NAME = "open-writer";
  static final String WITHOUT = "none";
  static final String WITH = "open all the time";

  private static final Contestant ARM = Contestant.ANGARIUM;
  private static final int WARM_UP_SECONDS_MAX = 20;
  private static final int ROUNDS = 2;

  private final Load load;

  /**
   * @param load of the others, as long as the transaction is open
   */
  OpenWriterScenario(Load load) {
    this.load = load;
  }

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public void run(Stage stage, Recorder recorder) throws Exception {
    recorder.say("warming up");
    warmUp(stage);
    LoadScenario without = LoadScenario.of(NAME, WITHOUT, load, Lineup.of(List.of(ARM), 1));
    Turns.take(
        List.of(without, without.during(WITH, OpenWriterScenario::hold)),
        ROUNDS,
        (loads, number) -> loads.measure(stage, recorder.round(ARM, loads.parameter(), number)));
  }

  /** The first round shall not be the only one in a JVM that is cold. */
  private void warmUp(Stage stage) throws Exception {
    try (Trial trial = stage.open(ARM, Map.of())) {
      trial.start();
      trial.load(load.part(0, Math.min(WARM_UP_SECONDS_MAX, load.seconds())));
      trial.stop();
    }
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
