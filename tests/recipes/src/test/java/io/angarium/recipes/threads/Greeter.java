package io.angarium.recipes.threads;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Message;
import io.angarium.Outbox;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
class Greeter {
  private final JdbcTemplate jdbc;
  private final Outbox outbox;

  Greeter(JdbcTemplate jdbc, Outbox outbox) {
    this.jdbc = jdbc;
    this.outbox = outbox;
  }

  @Async
  @Transactional
  public void greet(int guest) {
    jdbc.update("INSERT INTO guest (id, thread) VALUES (?, ?)", guest, kindOfThread());
    outbox.send(Message.of("kafka:greetings", ("hello " + guest).getBytes(UTF_8)));
  }

  private static String kindOfThread() {
    return Thread.currentThread().toString().startsWith("VirtualThread") ? "virtual" : "platform";
  }
}
