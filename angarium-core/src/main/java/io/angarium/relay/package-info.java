/** The relay: moves committed messages from the store to the transports. */
@NullMarked
package io.angarium.relay;

import org.jspecify.annotations.NullMarked;
