/**
 * Confirmation: a consumer tells the producer that it has processed a message, and what stays
 * unconfirmed is sent again, or given up. Off unless a destination demands it.
 */
@NullMarked
package io.angarium.confirmation;

import org.jspecify.annotations.NullMarked;
