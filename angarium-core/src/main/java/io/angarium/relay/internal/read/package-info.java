/** Reads committed messages from the store, in the order of their sequence. */
@NullMarked
package io.angarium.relay.internal.read;

import org.jspecify.annotations.NullMarked;
