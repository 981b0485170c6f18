/**
 * Sends messages to RabbitMQ, and sets up the queues of their consumers. Users need {@link
 * io.angarium.rabbitmq.RabbitConfig} and {@link io.angarium.rabbitmq.RabbitTransport}; consumers
 * find the properties in {@link io.angarium.rabbitmq.RabbitWireFormat} and their queues in {@link
 * io.angarium.rabbitmq.topology.RabbitTopology}.
 */
@NullMarked
package io.angarium.rabbitmq;

import org.jspecify.annotations.NullMarked;
