/** The queues of RabbitMQ's consumers for applications that consume with Spring AMQP. */
@NullMarked
package io.angarium.spring.rabbit;

import org.jspecify.annotations.NullMarked;
