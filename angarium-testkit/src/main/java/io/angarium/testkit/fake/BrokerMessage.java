package io.angarium.testkit.fake;

import io.angarium.Message;
import io.angarium.MessageId;

/**
 * A message as a broker holds it for its consumers, in the words of the one that was sent.
 * Immutable.
 *
 * @param id the id it carries
 * @param message destination, key, type, payload and the message's own headers in their order,
 *     without those that the transport added; other parts are not looked at
 */
public record BrokerMessage(MessageId id, Message message) {}
