package io.angarium.quickstart.stock;

/**
 * What the stock reads in the message of a placed order; the rest of it is ignored. Immutable.
 *
 * @param id the order
 * @param number counts the orders of the customer
 */
record OrderPlaced(long id, String customer, int number, String item, int quantity) {}
