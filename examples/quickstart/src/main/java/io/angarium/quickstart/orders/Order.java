package io.angarium.quickstart.orders;

import java.time.Instant;

/**
 * An order that was placed; also the payload of its message. Immutable.
 *
 * @param id unique among all orders
 * @param customer who placed it
 * @param number counts the orders of this customer: 1, 2, 3 without gaps
 * @param placedAt when, by the clock of this service
 */
public record Order(
    long id, String customer, int number, String item, int quantity, Instant placedAt) {}
