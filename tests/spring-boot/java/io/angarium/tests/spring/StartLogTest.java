package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.handler.Delivery;
import io.angarium.handler.OutboxHandler;
import java.sql.Connection;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What a start and a stop say at INFO: settings that matter, a line each. */
@ExtendWith(OutputCaptureExtension.class)
class StartLogTest {
  /** How records print themselves. */
  private static final Pattern RECORD = Pattern.compile("[A-Z]\\w+\\[\\w+=");

  /** Two rows of a terminal. */
  private static final int LENGTH_MAX = 240;

  private static final String OURS = "INFO io.angarium.";

  @Test
  void noLineOfAStartPrintsAWholeRecord(CapturedOutput output) {
    FirstStart.on(Database.h2())
        .with(Handlers.class)
        .with("logging.pattern.console=%p %c: %m%n")
        .with("angarium.jdbc.schema-mode=create")
        .with("angarium.inbox.enabled=true")
        .with("angarium.inbox.schema-mode=create")
        .with("angarium.half.enabled=true")
        .with("angarium.half.check.allowed-hosts=shop.example")
        .with("angarium.kafka.bootstrap-servers=127.0.0.1:1")
        .with("angarium.rabbitmq.addresses=amqp://shop:hush@127.0.0.1:1")
        .with("angarium.rocketmq.name-servers=127.0.0.1:1")
        .with("angarium.http.hooks.orders.url=https://shop.example/")
        .with("angarium.relay.close-timeout=0s")
        .start()
        .close();

    List<String> lines = output.getAll().lines().filter(line -> line.startsWith(OURS)).toList();
    for (String started :
        List.of(
            "Kafka transport",
            "RabbitMQ transport",
            "RocketMQ transport",
            "HTTP transport",
            "Handler transport",
            "Check-back of half messages",
            "Relay ")) {
      assertThat(lines).as(started).anyMatch(line -> line.contains(started));
    }
    assertThat(lines)
        .allSatisfy(
            line ->
                assertThat(line)
                    .doesNotContainPattern(RECORD)
                    .doesNotContain("hush")
                    .hasSizeLessThan(LENGTH_MAX));
  }

  @Configuration(proxyBeanMethods = false)
  static class Handlers {
    @Bean
    OutboxHandler<Connection> mails() {
      return new Mails();
    }
  }

  static final class Mails implements OutboxHandler<Connection> {
    @Override
    public String name() {
      return "mails";
    }

    @Override
    public void handle(Connection transaction, Delivery delivery) {}
  }
}
