package io.angarium.tests.modulith.shop.orders;

import org.springframework.modulith.events.Externalized;

/**
 * A customer's order was stored.
 *
 * @param number 1 for the customer's first order, then 2 and so on
 */
@Externalized("kafka:shop-orders::#{#this.customer()}")
public record OrderPlaced(String customer, long number) {}
