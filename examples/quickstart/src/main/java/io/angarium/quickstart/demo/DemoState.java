package io.angarium.quickstart.demo;

import io.angarium.relay.settings.CircuitState;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** All that the page shows, at one moment. Immutable. */
record DemoState(
    Servers servers, Relay relay, Counts counts, List<Lane> lanes, List<RecentOrder> recent) {

  /**
   * The two servers.
   *
   * @param brokerError why the last switch failed; null if it did not
   */
  record Servers(
      String database,
      String broker,
      BrokerSwitch.State brokerState,
      @Nullable String brokerError) {}

  /**
   * The relay.
   *
   * @param running whether it was started; false while a visitor has it stopped
   * @param healthy whether its lease is valid
   * @param partitions how many it holds
   * @param circuit of the topic of the orders
   */
  record Relay(boolean running, boolean healthy, int partitions, CircuitState circuit) {}

  /**
   * What adds up, or not.
   *
   * @param placed committed orders
   * @param rolledBack orders whose transaction was rolled back
   * @param sent acknowledgements of the broker
   * @param booked movements of the stock
   * @param pending rows in the outbox
   * @param outOfOrder movements that came before an earlier one of their customer
   */
  record Counts(
      long placed,
      long rolledBack,
      long sent,
      long booked,
      long pending,
      long parked,
      long dead,
      long duplicates,
      long outOfOrder) {}

  /**
   * The latest orders of one customer.
   *
   * @param first the number of the first one shown; 1 if there is none
   * @param steps one letter per order: P pending, S sent, R received
   */
  record Lane(String customer, int first, String steps) {}

  /**
   * One of the latest orders.
   *
   * @param step P pending, S sent, R received
   * @param sentMillis from the order to the broker's acknowledgement; null if that was not seen yet
   * @param receivedMillis from the order to the movement of the stock; null if there is none yet
   */
  record RecentOrder(
      long id,
      String customer,
      int number,
      String item,
      int quantity,
      char step,
      @Nullable Long sentMillis,
      @Nullable Long receivedMillis) {}
}
