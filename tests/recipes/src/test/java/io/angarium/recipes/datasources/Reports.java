package io.angarium.recipes.datasources;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Message;
import io.angarium.Outbox;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Reports {
  private final JdbcTemplate jdbc;
  private final Outbox outbox;

  Reports(JdbcTemplate jdbc, @Qualifier("reportsOutbox") Outbox outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  @Transactional("reportsTransactions")
  public void publish(String report) {
    jdbc.update("INSERT INTO report (name) VALUES (?)", report);
    outbox.send(Message.of("kafka:reports", report.getBytes(UTF_8)).key(report));
  }
}
