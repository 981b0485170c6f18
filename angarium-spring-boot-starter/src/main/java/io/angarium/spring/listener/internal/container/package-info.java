/** The listener containers of Kafka and RabbitMQ that an application declares. */
@NullMarked
package io.angarium.spring.listener.internal.container;

import org.jspecify.annotations.NullMarked;
