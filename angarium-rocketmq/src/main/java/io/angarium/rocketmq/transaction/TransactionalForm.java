package io.angarium.rocketmq.transaction;

import io.angarium.BusinessKey;
import io.angarium.BusinessKey.Uniqueness;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.rocketmq.MessageEncoding;
import io.angarium.rocketmq.RocketConfig;

/** What RocketMQ cannot do for a transactional message, found before anything is sent. */
final class TransactionalForm {
  private TransactionalForm() {}

  /**
   * Checks a message whose address has the right form.
   *
   * @throws InvalidMessageException if it wants what cannot be had
   */
  static void check(Message message, RocketConfig config) {
    require(
        message.destination().transport().equals("rocketmq"),
        "destination: '" + message.destination() + "' (expected: rocketmq:topic[:tag])");
    require(
        message.key() == null,
        "key: '"
            + message.key()
            + "' (expected: none): RocketMQ keeps no order among transactional messages");
    require(
        message.notBefore() == null,
        "notBefore: "
            + message.notBefore()
            + " (expected: none): RocketMQ cannot delay a transactional message");
    BusinessKey business = message.business();
    require(
        business == null || business.uniqueness() == Uniqueness.NONE,
        "business key: unique (expected: not unique): only the outbox remembers what was sent");
    checkContent(message, config);
  }

  private static void checkContent(Message message, RocketConfig config) {
    int bytes = message.payload().length;
    if (bytes > config.messageBytesMax()) {
      throw new InvalidMessageException(
          "payload: %d bytes (expected: at most %d, the setting message-max)"
              .formatted(bytes, config.messageBytesMax()));
    }
    String part = MessageEncoding.impossiblePart(message);
    if (part != null) {
      throw new InvalidMessageException(
          part + ": the character U+0001 or U+0002 (expected: none), which RocketMQ cannot carry");
    }
  }

  /**
   * Checks what a message looks like at the broker, which adds to it.
   *
   * @throws InvalidMessageException if it has too much beside its payload
   */
  static void checkProperties(String properties) {
    int bytes = MessageEncoding.propertiesBytes(properties);
    if (bytes > MessageEncoding.PROPERTIES_BYTES_MAX) {
      throw new InvalidMessageException(
          "type and headers: %d bytes (expected: at most %d)"
              .formatted(bytes, MessageEncoding.PROPERTIES_BYTES_MAX));
    }
  }

  private static void require(boolean holds, String fault) {
    if (!holds) {
      throw new InvalidMessageException(fault + "; send it through the outbox instead");
    }
  }
}
