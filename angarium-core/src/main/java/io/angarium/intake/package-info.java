/**
 * The way of a message into a store: its identity, its partition, its limits, and the hand-over to
 * a relay of the same process. Stores implement it; applications that only send do not need it.
 */
@NullMarked
package io.angarium.intake;

import org.jspecify.annotations.NullMarked;
