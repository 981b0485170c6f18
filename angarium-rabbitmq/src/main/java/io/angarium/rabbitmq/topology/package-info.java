/**
 * Exchanges, queues and redelivery of consumers: {@link
 * io.angarium.rabbitmq.topology.RabbitTopology} and {@link
 * io.angarium.rabbitmq.topology.RabbitRedelivery}.
 */
@NullMarked
package io.angarium.rabbitmq.topology;

import org.jspecify.annotations.NullMarked;
