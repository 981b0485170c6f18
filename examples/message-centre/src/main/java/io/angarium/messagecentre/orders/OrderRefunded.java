package io.angarium.messagecentre.orders;

/**
 * Tells that the money of an order was given back.
 *
 * @param order the number of the order
 */
public record OrderRefunded(long order) {}
