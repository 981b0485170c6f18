package io.angarium.crash;

/**
 * An order on its way to a warehouse. Comes again, under the same number, until it is acknowledged.
 * Immutable.
 *
 * @param number of the delivery; a duplicate of an order has another one
 */
record Delivery(long number, Order order) {
  static Delivery parse(String line) {
    int space = line.indexOf(' ');
    return new Delivery(
        Long.parseLong(line.substring(0, space)),
        new Order(Integer.parseInt(line.substring(space + 1))));
  }

  /** As a warehouse reads it. */
  String line() {
    return number + " " + order.number();
  }
}
