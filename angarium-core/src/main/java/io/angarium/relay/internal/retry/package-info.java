/** Handles results: retries, parked messages, dead letters. */
@NullMarked
package io.angarium.relay.internal.retry;

import org.jspecify.annotations.NullMarked;
