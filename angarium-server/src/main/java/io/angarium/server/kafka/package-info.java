/** Half messages from Kafka. */
@NullMarked
package io.angarium.server.kafka;

import org.jspecify.annotations.NullMarked;
