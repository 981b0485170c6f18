/** The send loop of a relay and its threads. */
@NullMarked
package io.angarium.relay.internal;

import org.jspecify.annotations.NullMarked;
