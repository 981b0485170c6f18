package io.angarium.tests.modulith.shop.stock;

import org.springframework.modulith.events.Externalized;

/** The goods of an order are kept for it. */
@Externalized("kafka:shop-stock::#{#this.customer()}")
public record GoodsReserved(String customer, long number) {}
