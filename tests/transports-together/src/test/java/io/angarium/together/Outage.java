package io.angarium.together;

import java.util.function.Consumer;

/**
 * What happens to a broker, and its end.
 *
 * @param silent true if its transport gives no result before its patience ends
 */
record Outage(
    String name, Broker sick, boolean silent, Consumer<Broker> fault, Consumer<Broker> cure) {

  /** Connections stay open, and nothing comes through. */
  static Outage blackHole(Broker sick) {
    return new Outage(
        "black hole",
        sick,
        true,
        broker -> broker.proxy().blackhole(),
        broker -> broker.proxy().heal());
  }

  /** Connections break, and there are no new ones. */
  static Outage refusing(Broker sick) {
    return new Outage(
        "refusing",
        sick,
        false,
        broker -> broker.proxy().refuse(),
        broker -> broker.proxy().accept());
  }

  /** Connections stay open, and the broker takes no messages. */
  static Outage blocked(RabbitBroker sick) {
    return new Outage("blocked", sick, false, broker -> sick.block(), broker -> sick.unblock());
  }

  void begin() {
    fault.accept(sick);
  }

  void end() {
    cure.accept(sick);
  }

  @Override
  public String toString() {
    return sick + " " + name;
  }
}
