package io.angarium.orderstock.stock;

import io.angarium.rabbitmq.topology.RabbitTopology;
import io.angarium.rabbitmq.topology.RabbitTopology.ExchangeType;
import java.time.Duration;

/** The queues of the stock service on RabbitMQ. */
public final class StockQueues {
  private static final Duration PAUSE = Duration.ofMillis(100);

  /** What is paid comes into "stock"; what fails comes back after pauses that grow. */
  public static final RabbitTopology TOPOLOGY =
      RabbitTopology.of("stock")
          .boundTo("orders", ExchangeType.TOPIC, "order.*")
          .retryAfter(
              PAUSE,
              PAUSE.multipliedBy(2),
              PAUSE.multipliedBy(3),
              PAUSE.multipliedBy(4),
              PAUSE.multipliedBy(5),
              PAUSE.multipliedBy(6),
              PAUSE.multipliedBy(7),
              PAUSE.multipliedBy(8));

  private StockQueues() {}
}
