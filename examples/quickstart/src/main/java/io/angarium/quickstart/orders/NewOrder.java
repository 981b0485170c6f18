package io.angarium.quickstart.orders;

/**
 * An order as a customer gives it. Immutable.
 *
 * @param customer the name of a known customer
 * @param item what is ordered, 1..40 characters
 * @param quantity how many, 1..1000
 */
public record NewOrder(String customer, String item, int quantity) {
  /** Checks the parts. */
  public NewOrder {
    require(customer != null && !customer.isBlank(), "customer", customer, "a name");
    require(
        item != null && !item.isBlank() && item.length() <= 40, "item", item, "1..40 characters");
    require(quantity >= 1 && quantity <= 1000, "quantity", quantity, "1..1000");
  }

  private static void require(boolean holds, String part, Object value, String expected) {
    if (!holds) {
      throw new IllegalArgumentException(part + ": " + value + " (expected: " + expected + ")");
    }
  }
}
