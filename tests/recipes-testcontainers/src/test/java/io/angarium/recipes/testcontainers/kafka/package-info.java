/** An application on PostgreSQL and Kafka, and its integration test. */
@NullMarked
package io.angarium.recipes.testcontainers.kafka;

import org.jspecify.annotations.NullMarked;
