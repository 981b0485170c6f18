package io.angarium.benchmarks.arm;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where an arm works and how. Immutable.
 *
 * @param url of the database, for JDBC
 * @param brokerAddress where its clients connect: the bootstrap servers of Kafka, the URI of
 *     RabbitMQ, the name server of RocketMQ
 * @param topic all messages go to, a queue on RabbitMQ; it exists
 * @param options what only some arms know: {@code relays}, {@code history}, ... An arm fails for
 *     one that it does not know
 */
public record ArmSettings(
    DatabaseKind database,
    String url,
    String user,
    String password,
    BrokerKind broker,
    String brokerAddress,
    String topic,
    Variant variant,
    Map<String, String> options) {

  /** Copies the options. */
  public ArmSettings {
    options = Map.copyOf(options);
  }

  /** A pool of connections to the database; to be closed by the caller. */
  public HikariDataSource pool(int connections) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setUsername(user);
    config.setPassword(password);
    config.setMaximumPoolSize(connections);
    if (database == DatabaseKind.POSTGRESQL) {
      config.addDataSourceProperty("reWriteBatchedInserts", "true");
    }
    return new HikariDataSource(config);
  }

  /** An option that is a number. */
  public int number(String option, int otherwise) {
    String value = options.get(option);
    return value == null ? otherwise : Integer.parseInt(value);
  }

  Map<String, String> toValues() {
    Map<String, String> values = new LinkedHashMap<>();
    values.put("database", database.name());
    values.put("url", url);
    values.put("user", user);
    values.put("password", password);
    values.put("broker", broker.name());
    values.put("brokerAddress", brokerAddress);
    values.put("topic", topic);
    values.put("variant", variant.name());
    options.forEach((name, value) -> values.put("option." + name, value));
    return values;
  }

  static ArmSettings of(Line line) {
    Map<String, String> options = new LinkedHashMap<>();
    line.values()
        .forEach(
            (name, value) -> {
              if (name.startsWith("option.")) {
                options.put(name.substring("option.".length()), value);
              }
            });
    return new ArmSettings(
        DatabaseKind.valueOf(line.text("database")),
        line.text("url"),
        line.text("user"),
        line.text("password"),
        BrokerKind.valueOf(line.text("broker")),
        line.text("brokerAddress"),
        line.text("topic"),
        Variant.valueOf(line.text("variant")),
        options);
  }
}
