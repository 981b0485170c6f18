/** Hands messages to transports, one key after another, and opens circuits. */
@NullMarked
package io.angarium.relay.internal.send;

import org.jspecify.annotations.NullMarked;
