/** Avro with a schema registry: what a serializer of Kafka does that asks another process. */
@NullMarked
package io.angarium.tests.spring.avro;

import org.jspecify.annotations.NullMarked;
