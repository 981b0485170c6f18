package io.angarium.spring.autoconfigure.internal.mapping;

import io.angarium.Destination;
import io.angarium.confirmation.ReceiptIntake;
import io.angarium.kafka.KafkaConfig;
import io.angarium.kafka.KafkaReceipts;
import io.angarium.rabbitmq.RabbitConfig;
import io.angarium.rabbitmq.RabbitReceipts;
import io.angarium.rocketmq.RocketConfig;
import io.angarium.rocketmq.RocketReceipts;
import java.util.Map;
import java.util.Objects;
import org.springframework.beans.factory.BeanFactory;

/** What reads receipts, by transport; each in a class of its own, as its library may be absent. */
public final class ReceiptsReaders {
  private ReceiptsReaders() {}

  private interface Reader {
    AutoCloseable start(BeanFactory beans, String group, String address, ReceiptIntake intake);
  }

  private static final Map<String, Reader> READERS =
      Map.of(
          "kafka", (beans, group, address, intake) -> Kafka.start(beans, group, address, intake),
          "rabbitmq", (beans, group, address, intake) -> Rabbit.start(beans, address, intake),
          "rocketmq",
              (beans, group, address, intake) -> Rocket.start(beans, group, address, intake));

  /**
   * True if receipts can be read from there; on RabbitMQ that is a queue, which follows a slash.
   */
  static boolean canRead(Destination from) {
    return READERS.containsKey(from.transport())
        && (!from.transport().equals("rabbitmq") || from.address().startsWith("/"));
  }

  /**
   * Starts reading.
   *
   * @param beans has the configuration of the broker
   * @throws RuntimeException if there is none, or the library is absent
   */
  public static AutoCloseable start(
      BeanFactory beans, Destination from, String group, ReceiptIntake intake) {
    try {
      return startOf(beans, from, group, intake);
    } catch (LinkageError e) {
      throw new IllegalStateException(
          "the module of " + from.transport() + " or its client is absent", e);
    }
  }

  private static AutoCloseable startOf(
      BeanFactory beans, Destination from, String group, ReceiptIntake intake) {
    return Objects.requireNonNull(READERS.get(from.transport()))
        .start(beans, group, from.address(), intake);
  }

  private static final class Kafka {
    static AutoCloseable start(
        BeanFactory beans, String group, String topic, ReceiptIntake intake) {
      return KafkaReceipts.start(beans.getBean(KafkaConfig.class), group, topic, intake);
    }
  }

  private static final class Rabbit {
    static AutoCloseable start(BeanFactory beans, String address, ReceiptIntake intake) {
      String queue = address.substring(1); // after the slash
      return RabbitReceipts.start(beans.getBean(RabbitConfig.class), queue, intake);
    }
  }

  private static final class Rocket {
    static AutoCloseable start(
        BeanFactory beans, String group, String topic, ReceiptIntake intake) {
      return RocketReceipts.start(beans.getBean(RocketConfig.class), group, topic, intake);
    }
  }
}
