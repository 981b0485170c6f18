package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.MessageId;
import io.angarium.confirmation.Confirmations;
import io.angarium.confirmation.ReceiptIntake;
import io.angarium.confirmation.ReceiptText;
import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.KafkaReceipts;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/** Receipts are read with the Kafka client of this Spring Boot. */
@OnOneBoot
@RequiresServer(Server.KAFKA)
class KafkaReceiptsTest {
  private static final String TOPIC = "failing.receipts";
  private static final String GROUP = "failing-shop";
  private static final MessageId ID = new MessageId(new UUID(0x7000L, 7));

  private final KafkaServer kafka = SharedServers.kafka();

  @Test
  void readingGoesOnAfterAFailureAndLeavesNoMemberBehind() throws Exception {
    kafka.createTopic(TOPIC, 1);
    FailingOnce confirmations = new FailingOnce();
    KafkaReceipts reading =
        KafkaReceipts.start(
            KafkaConfig.of(kafka.bootstrapServers()),
            GROUP,
            TOPIC,
            new ReceiptIntake(confirmations));

    try (reading) {
      send(ReceiptText.encode(List.of(ID)));
      assertThat(confirmations.noted.poll(60, TimeUnit.SECONDS)).isEqualTo(ID);
      assertThat(members()).isEqualTo(1);
    }

    assertThat(members()).isZero();
  }

  private void send(byte[] text) throws Exception {
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      producer.send(new ProducerRecord<>(TOPIC, text)).get(60, TimeUnit.SECONDS);
    }
  }

  private int members() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      return admin
          .describeConsumerGroups(List.of(GROUP))
          .describedGroups()
          .get(GROUP)
          .get(60, TimeUnit.SECONDS)
          .members()
          .size();
    }
  }

  /** Has a defect at first. */
  private static final class FailingOnce implements Confirmations {
    private final BlockingQueue<MessageId> noted = new LinkedBlockingQueue<>();
    private boolean failed;

    @Override
    public void confirm(Collection<MessageId> ids) {
      if (!failed) {
        failed = true;
        throw new IllegalStateException("a defect");
      }
      noted.addAll(ids);
    }

    @Override
    public Overdue settleOverdue() {
      return Overdue.NONE;
    }

    @Override
    public long unconfirmed() {
      return 0;
    }

    @Override
    public int forgetReceipts() {
      return 0;
    }
  }
}
