package io.angarium.orderstock.orders;

import java.time.Instant;

/**
 * The payload of the message that an order was paid. Immutable.
 *
 * @param id the order
 * @param item what was ordered
 * @param quantity how many
 * @param paidAt when, which is the same on both sides
 */
record OrderPaid(long id, String item, int quantity, Instant paidAt) {}
