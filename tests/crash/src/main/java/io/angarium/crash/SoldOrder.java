package io.angarium.crash;

import org.jspecify.annotations.Nullable;

/**
 * An order as its producer knows it. Immutable.
 *
 * @param id the payload of its message, too
 * @param customer the key of its message
 * @param follows the last order of this customer whose message the centre had said to be committed
 *     when this one was begun, and which must therefore arrive earlier; null if there is none
 */
record SoldOrder(String id, String customer, @Nullable String follows) {}
