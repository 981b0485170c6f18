/** Messages that were handed to a transport and have no result yet. */
@NullMarked
package io.angarium.relay.internal.flight;

import org.jspecify.annotations.NullMarked;
