package io.angarium.spring.autoconfigure.internal.mapping;

import io.angarium.ConfigFaults;
import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import io.angarium.spring.settings.AngariumProperties;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/** The destinations of receipts in the properties, and who reads them. */
public final class ReceiptsMapping {
  private static final String GROUP = "angarium-receipts";
  private static final String HANDLER = "handler:";

  /** RocketMQ knows no others in the name of a group. */
  private static final String UNUSUAL = "[^a-zA-Z0-9_-]";

  private ReceiptsMapping() {}

  /** Lists every fault. */
  public static void check(AngariumProperties.Confirmation given) {
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

  /**
   * The group that reads receipts: of two applications in one, each would be given the receipts of
   * the other.
   *
   * @param application its name; null if it has none
   */
  public static String group(AngariumProperties.Confirmation given, @Nullable String application) {
    String group = given.receiptsGroup();
    if (StringUtils.hasText(group)) {
      return group;
    }
    return StringUtils.hasText(application)
        ? application.replaceAll(UNUSUAL, "-") + "-" + GROUP
        : GROUP;
  }

  /**
   * Handlers, which tell nobody that they have processed a message.
   *
   * @param given where no receipts are sent
   */
  public static List<String> unreported(AngariumProperties.Confirmation given) {
    return given.destinations().stream()
        .filter(destination -> destination.startsWith(HANDLER))
        .map(
            destination ->
                "angarium.confirmation.destinations: "
                    + destination
                    + " (expected: none of a handler, as its message counts as sent when it was"
                    + " processed; or angarium.confirmation.report-to, or nobody would confirm it)")
        .toList();
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
