package io.angarium.recipes.datasources;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Message;
import io.angarium.Outbox;
import io.angarium.spring.OutboxDataSource;
import javax.sql.DataSource;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Sales {
  private final JdbcTemplate jdbc;
  private final Outbox outbox;

  Sales(@OutboxDataSource DataSource dataSource, Outbox outbox) {
    this.jdbc = new JdbcTemplate(dataSource);
    this.outbox = outbox;
  }

  @Transactional("salesTransactions")
  public void sell(String item) {
    jdbc.update("INSERT INTO sale (item) VALUES (?)", item);
    outbox.send(Message.of("kafka:sales", item.getBytes(UTF_8)).key(item));
  }
}
