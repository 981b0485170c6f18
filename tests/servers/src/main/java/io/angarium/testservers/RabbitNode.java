package io.angarium.testservers;

import java.util.List;

/**
 * A RabbitMQ that has been prepared, and how to give it orders.
 *
 * @param control what stands before the arguments of {@code rabbitmqctl}; empty where nobody but
 *     its owner gives orders
 */
record RabbitNode(ServerProcess process, List<String> control) {}
