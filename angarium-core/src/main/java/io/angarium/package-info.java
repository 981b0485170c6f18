/**
 * Reliable messages: what a transaction commits is delivered. Users who only send need {@link
 * io.angarium.Outbox} and {@link io.angarium.Message}.
 */
@NullMarked
package io.angarium;

import org.jspecify.annotations.NullMarked;
