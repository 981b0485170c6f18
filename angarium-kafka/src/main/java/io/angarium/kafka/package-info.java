/**
 * Sends messages to Apache Kafka. Users need {@link io.angarium.kafka.KafkaConfig} and {@link
 * io.angarium.kafka.KafkaTransport}; consumers find the headers in {@link
 * io.angarium.kafka.KafkaWireFormat}.
 */
@NullMarked
package io.angarium.kafka;

import org.jspecify.annotations.NullMarked;
