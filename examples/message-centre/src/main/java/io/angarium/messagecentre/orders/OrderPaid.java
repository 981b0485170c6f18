package io.angarium.messagecentre.orders;

/**
 * Tells that an order was paid.
 *
 * @param order the number of the order
 * @param cents how much was paid
 */
public record OrderPaid(long order, long cents) {}
