/** Topics of Kafka from which a server takes half messages. */
@NullMarked
package io.angarium.half.intake;

import org.jspecify.annotations.NullMarked;
