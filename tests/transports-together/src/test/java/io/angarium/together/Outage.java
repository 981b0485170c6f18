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
  static Outage blackHole(RemoteBroker sick) {
    return new Outage(
        "black hole",
        sick,
        true,
        broker -> sick.proxy().blackhole(),
        broker -> sick.proxy().heal());
  }

  /** Connections break, and there are no new ones. */
  static Outage refusing(RemoteBroker sick) {
    return new Outage(
        "refusing", sick, false, broker -> sick.proxy().refuse(), broker -> sick.proxy().accept());
  }

  /** Connections stay open, and the broker takes no messages. */
  static Outage blocked(RabbitBroker sick) {
    return new Outage("blocked", sick, false, broker -> sick.block(), broker -> sick.unblock());
  }

  /** Requests are read and not answered. */
  static Outage hanging(WebHooks sick) {
    return new Outage(
        "hanging", sick, true, broker -> sick.gate().shut(), broker -> sick.gate().open());
  }

  /** Handlers begin and do not end. */
  static Outage hanging(Handlers sick) {
    return new Outage(
        "hanging", sick, true, broker -> sick.gate().shut(), broker -> sick.gate().open());
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
