package io.angarium.spring;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.junit.jupiter.api.Test;
import org.springframework.amqp.rabbit.connection.RabbitResourceHolder;
import org.springframework.kafka.core.ProducerFactory;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Transactions that are around a listener, and are not active by Spring's count. */
class BrokerTransactionsTest {
  @Test
  void transactionOfKafkaIsSeen() {
    TransactionTemplate kafka = new TransactionTemplate(new KafkaTransactionManager<>(producers()));

    kafka.executeWithoutResult(
        status -> {
          assertThat(TransactionSynchronizationManager.isActualTransactionActive()).isFalse();
          assertThat(BrokerTransactions.isAnyRunning()).isTrue();
        });

    assertThat(BrokerTransactions.isAnyRunning()).isFalse();
  }

  private static ProducerFactory<String, String> producers() {
    MockProducer<String, String> producer = new MockProducer<>(); // of Kafka's own
    producer.initTransactions();
    return new ProducerFactory<>() {
      @Override
      public Producer<String, String> createProducer() {
        return producer;
      }

      @Override
      public Producer<String, String> createProducer(String prefix) {
        return producer;
      }

      @Override
      public boolean transactionCapable() {
        return true;
      }
    };
  }

  /** As its manager does, and a container with channelTransacted and none. */
  @Test
  void transactedChannelOfRabbitIsSeen() {
    Object connections = new Object();
    TransactionSynchronizationManager.bindResource(connections, new RabbitResourceHolder());
    try {
      assertThat(BrokerTransactions.isAnyRunning()).isTrue();
    } finally {
      TransactionSynchronizationManager.unbindResource(connections);
    }

    assertThat(BrokerTransactions.isAnyRunning()).isFalse();
  }

  @Test
  void whatElseIsBoundIsNone() {
    TransactionSynchronizationManager.bindResource(this, "else");
    try {
      assertThat(BrokerTransactions.isAnyRunning()).isFalse();
    } finally {
      TransactionSynchronizationManager.unbindResource(this);
    }
  }
}
