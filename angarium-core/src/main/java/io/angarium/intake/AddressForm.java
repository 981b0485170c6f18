package io.angarium.intake;

import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * What an address looks like for the transports that this library brings, so that a slip is an
 * error where it was made and not a dead letter. Addresses of other transports, and those that name
 * no transport, are left to the transport.
 */
final class AddressForm {
  private static final String KAFKA = "a topic of 1..249 letters, digits, '.', '_' or '-'";
  private static final String RABBITMQ =
      "exchange/routing.key, or /queue for the default exchange, each at most 255 bytes";
  private static final String ROCKETMQ =
      "topic or topic:tag, the topic 1..127 letters, digits, '_', '-', '%' or '|', the tag without"
          + " '|'";
  private static final String HTTP =
      "the name of a web hook, 1..64 of a-z, 0-9, '-', or a whole address, e.g."
          + " http:https://shop.example/hook";
  private static final String HANDLER = "the name of a handler, 1..64 of a-z, 0-9, '-', '.'";
  private static final int KAFKA_LENGTH_MAX = 249;
  private static final int AMQP_BYTES_MAX = 255;
  private static final Pattern ROCKETMQ_FORM = Pattern.compile("[%|a-zA-Z0-9_-]{1,127}(:[^|]+)?");

  /** No more than tells a slip: which addresses are allowed only the transport knows. */
  private static final Pattern HTTP_FORM =
      Pattern.compile("[a-z0-9][a-z0-9-]{0,63}|(?i:https?)://[^/?#\\s].*");

  private static final Pattern HANDLER_FORM = Pattern.compile("[a-z0-9][a-z0-9.-]{0,63}");

  private AddressForm() {}

  /**
   * Checks a destination.
   *
   * @throws InvalidMessageException if it names a transport of ours and the address is none
   */
  static void check(Destination destination) {
    String address = destination.address();
    switch (destination.transport()) {
      case "kafka" -> require(isKafka(address), destination, KAFKA);
      case "rabbitmq" -> require(isRabbitMq(address), destination, RABBITMQ);
      case "rocketmq" -> require(ROCKETMQ_FORM.matcher(address).matches(), destination, ROCKETMQ);
      case "http" -> require(HTTP_FORM.matcher(address).matches(), destination, HTTP);
      case "handler" -> require(HANDLER_FORM.matcher(address).matches(), destination, HANDLER);
      default -> {}
    }
  }

  private static void require(boolean holds, Destination destination, String expectation) {
    if (!holds) {
      throw new InvalidMessageException(
          "destination: '" + destination + "' (expected: " + expectation + "); correct it");
    }
  }

  private static boolean isKafka(String topic) {
    for (int i = 0; i < topic.length(); i++) {
      if (!isKafka(topic.charAt(i))) {
        return false;
      }
    }
    return topic.length() <= KAFKA_LENGTH_MAX && !topic.equals(".") && !topic.equals("..");
  }

  private static boolean isKafka(char c) {
    return (c >= 'a' && c <= 'z')
        || (c >= 'A' && c <= 'Z')
        || (c >= '0' && c <= '9')
        || c == '.'
        || c == '_'
        || c == '-';
  }

  private static boolean isRabbitMq(String address) {
    int slash = address.indexOf('/');
    return slash >= 0 && fits(address.substring(0, slash)) && fits(address.substring(slash + 1));
  }

  private static boolean fits(String name) {
    return name.getBytes(StandardCharsets.UTF_8).length <= AMQP_BYTES_MAX;
  }
}
