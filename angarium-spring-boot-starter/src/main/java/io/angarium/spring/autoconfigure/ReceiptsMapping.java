package io.angarium.spring.autoconfigure;

import io.angarium.ConfigFaults;
import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import org.jspecify.annotations.Nullable;

/** The destinations of receipts in the properties. */
final class ReceiptsMapping {
  private ReceiptsMapping() {}

  /** Lists every fault. */
  static void check(AngariumProperties.Confirmation given) {
    ConfigFaults faults = new ConfigFaults();
    String from = given.receiptsFrom();
    Destination read = parse("confirmation.receipts-from", from, faults);
    faults.require(
        read == null || ReceiptsReaders.canRead(read),
        "confirmation.receipts-from",
        from,
        "kafka:topic, rabbitmq:/queue or rocketmq:topic; for receipts that come by HTTP set"
            + " angarium.confirmation.receipts-endpoint.enabled=true instead");
    parse("confirmation.report-to", given.reportTo(), faults);
    faults.throwIfAny();
  }

  private static @Nullable Destination parse(
      String name, @Nullable String text, ConfigFaults faults) {
    if (text == null) {
      return null;
    }
    try {
      return Destination.parse(text);
    } catch (InvalidMessageException e) {
      faults.require(false, name, text, "a destination such as kafka:orders.receipts");
      return null;
    }
  }
}
