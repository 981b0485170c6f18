/**
 * Half messages that arrive as records of Kafka: {@link io.angarium.kafka.intake.KafkaHalfIntake}
 * and its configuration.
 */
@NullMarked
package io.angarium.kafka.intake;

import org.jspecify.annotations.NullMarked;
