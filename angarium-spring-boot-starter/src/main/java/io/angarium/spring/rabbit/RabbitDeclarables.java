package io.angarium.spring.rabbit;

import io.angarium.rabbitmq.topology.RabbitTopology;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.springframework.amqp.core.Binding;
import org.springframework.amqp.core.CustomExchange;
import org.springframework.amqp.core.Declarable;
import org.springframework.amqp.core.Declarables;
import org.springframework.amqp.core.Queue;

/**
 * What a {@link RabbitTopology} declares, as a bean for Spring AMQP. Its {@code RabbitAdmin}
 * declares the bean when the application connects. {@link RabbitTopology#declare} declares the same
 * queues, exchanges and bindings, so an application may do both.
 *
 * <pre>{@code
 * @Bean
 * Declarables stock() {
 *   return RabbitDeclarables.of(RabbitTopology.of("stock").boundTo("orders", TOPIC, "order.*"));
 * }
 * }</pre>
 */
public final class RabbitDeclarables {
  private RabbitDeclarables() {}

  /** The queues of a consumer, and where the work queue gets its messages from. */
  public static Declarables of(RabbitTopology topology) {
    List<Declarable> declarables = new ArrayList<>();
    for (RabbitTopology.Queue queue : topology.queues()) {
      declarables.add(
          new Queue(queue.name(), true, false, false, new HashMap<>(queue.arguments())));
    }
    for (RabbitTopology.Binding binding : topology.bindings()) {
      declarables.add(
          new CustomExchange(binding.exchange(), binding.exchangeType().amqpName(), true, false));
      declarables.add(
          new Binding(
              topology.queue(),
              Binding.DestinationType.QUEUE,
              binding.exchange(),
              binding.routingKey(),
              new HashMap<>()));
    }
    return new Declarables(declarables);
  }
}
