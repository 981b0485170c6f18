/** An application on PostgreSQL and RabbitMQ, and its integration test. */
@NullMarked
package io.angarium.recipes.testcontainers.rabbit;

import org.jspecify.annotations.NullMarked;
