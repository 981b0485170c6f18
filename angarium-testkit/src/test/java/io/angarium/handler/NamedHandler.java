package io.angarium.handler;

import java.util.List;

/** A handler of the tests, on the transactions of an inbox in memory. */
record NamedHandler(String name, Work work) implements OutboxHandler<List<String>> {
  /** What it does. */
  @FunctionalInterface
  interface Work {
    void handle(List<String> writes, Delivery delivery) throws Exception;
  }

  static NamedHandler of(String name, Work work) {
    return new NamedHandler(name, work);
  }

  @Override
  public void handle(List<String> transaction, Delivery delivery) throws Exception {
    work.handle(transaction, delivery);
  }
}
