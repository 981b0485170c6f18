/** The service that is paid for orders: what you would write, with its database and outbox. */
@NullMarked
package io.angarium.orderstock.orders;

import org.jspecify.annotations.NullMarked;
