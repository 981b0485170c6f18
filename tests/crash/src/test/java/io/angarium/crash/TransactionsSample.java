package io.angarium.crash;

import io.angarium.Message;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.rocketmq.RocketConfig;
import io.angarium.rocketmq.transaction.RocketTransactions;
import io.angarium.rocketmq.transaction.RocketTransactionsConfig;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** The sample of docs/rocketmq.md, compiled. */
final class TransactionsSample {
  private TransactionsSample() {}

  static void send(DataSource dataSource, byte[] json) throws SQLException {
    RocketTransactions<Connection> transactions =
        RocketTransactions.open(
            RocketTransactionsConfig.of(RocketConfig.of("host:9876"))
                .producerGroup("shop-transactions"),
            JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS).localTransactions());

    transactions.send(
        Message.of("rocketmq:orders:paid", json).business("order", "4711"),
        connection -> markPaid(connection, 4711));
  }

  private static int markPaid(Connection connection, long order) throws SQLException {
    try (PreparedStatement update =
        connection.prepareStatement("UPDATE orders SET paid = true WHERE id = ?")) {
      update.setLong(1, order);
      return update.executeUpdate();
    }
  }
}
