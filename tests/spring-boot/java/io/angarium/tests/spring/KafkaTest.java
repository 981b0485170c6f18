package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.Outbox;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

@RequiresServer({Server.POSTGRESQL, Server.KAFKA})
class KafkaTest {
  private static final String TOPIC = "spring-orders";

  @Test
  void committedMessagesReachKafkaAndRolledBackOnesDoNot() {
    KafkaServer kafka = SharedServers.kafka();
    kafka.createTopic(TOPIC, 1);
    Database database = Database.postgres();

    try (ConfigurableApplicationContext context =
        Shop.on(database)
            .withoutJpa()
            .with("angarium.kafka.enabled=true")
            .with("spring.kafka.bootstrap-servers=" + kafka.bootstrapServers())
            .start()) {
      Outbox outbox = context.getBean(Outbox.class);
      TransactionTemplate transactions =
          new TransactionTemplate(context.getBean(PlatformTransactionManager.class));
      for (int i = 0; i < 10; i++) {
        String key = "order " + i;
        boolean rollback = i % 2 == 1;
        transactions.executeWithoutResult(
            status -> {
              outbox.send(Message.of("kafka:" + TOPIC, new byte[] {1}).key(key));
              if (rollback) {
                status.setRollbackOnly();
              }
            });
      }
      database.awaitSent(); // the close waits for the rest only so long
    }

    assertThat(database.unsent()).isZero();
    assertThat(keys(kafka))
        .containsExactlyInAnyOrder("order 0", "order 2", "order 4", "order 6", "order 8");
  }

  /** Of everything in the topic, up to its end as it is now; without repeats, which may come. */
  private static Set<String> keys(KafkaServer kafka) {
    TopicPartition partition = new TopicPartition(TOPIC, 0);
    Set<String> keys = new HashSet<>();
    try (KafkaConsumer<String, byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new StringDeserializer(),
            new ByteArrayDeserializer())) {
      consumer.assign(List.of(partition));
      consumer.seekToBeginning(List.of(partition));
      long end = consumer.endOffsets(List.of(partition)).get(partition);
      while (consumer.position(partition) < end) {
        consumer.poll(Duration.ofSeconds(1)).forEach(record -> keys.add(record.key()));
      }
    }
    return keys;
  }
}
