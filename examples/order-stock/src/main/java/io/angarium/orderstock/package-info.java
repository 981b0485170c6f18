/** Starts an order service and a stock service, makes trouble, and compares the two at the end. */
@NullMarked
package io.angarium.orderstock;

import org.jspecify.annotations.NullMarked;
