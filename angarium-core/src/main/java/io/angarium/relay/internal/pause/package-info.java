/** Learns which destinations are paused, and when nothing of them is under way. */
@NullMarked
package io.angarium.relay.internal.pause;

import org.jspecify.annotations.NullMarked;
