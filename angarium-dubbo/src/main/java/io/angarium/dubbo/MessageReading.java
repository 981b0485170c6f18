package io.angarium.dubbo;

import com.example.trustmessage.middlewareapi.common.MiddlewareMessage;
import io.angarium.Destination;
import io.angarium.InvalidMessageException;
import io.angarium.Message;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.check.CheckBackTransport;
import io.angarium.half.internal.remote.PrintableExcerpt;
import io.angarium.half.internal.remote.ProducerPlace;
import java.net.URI;
import java.util.Collection;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Turns what clients of TrustMessage hand over into half messages. Immutable. */
final class MessageReading {
  private final String transport;
  private final Map<String, CheckBackTransport> checkBacks = new HashMap<>();

  /**
   * Creates one.
   *
   * @param transport where topics are, e.g. {@code kafka}
   * @param checkBacks which may refuse addresses; empty to take all
   */
  MessageReading(String transport, Collection<? extends CheckBackTransport> checkBacks) {
    if (transport.isEmpty()) { // else the topic would name the transport
      throw new InvalidMessageException("transport: '' (expected: a name, e.g. kafka)");
    }
    this.transport = new Destination(transport, "topic").transport(); // checks the name
    for (CheckBackTransport each : checkBacks) {
      each.schemes().forEach(scheme -> this.checkBacks.put(scheme, each));
    }
  }

  /**
   * The key.
   *
   * @throws InvalidMessageException naming the field that is missing or wrong
   */
  HalfKey key(@Nullable MiddlewareMessage message) {
    if (message == null) {
      throw new InvalidMessageException("the message is null");
    }
    String key = present("messageKey", message.getMessageKey());
    try {
      return new HalfKey(String.valueOf(message.getBizID()), key);
    } catch (IllegalArgumentException e) {
      throw new InvalidMessageException(
          "messageKey: " + PrintableExcerpt.of(String.valueOf(e.getMessage())));
    }
  }

  /**
   * The whole half message.
   *
   * @throws InvalidMessageException naming the field that is missing or wrong
   */
  HalfMessage halfMessage(@Nullable MiddlewareMessage message) {
    HalfKey key = key(message);
    if (message == null || message.getMessage() == null) {
      throw new InvalidMessageException("message: null (expected: what consumers receive)");
    }
    Destination topic = topic(present("forwardTopic", message.getForwardTopic()));
    Message forwarded = Message.of(topic, message.getMessage());
    String forwardKey = message.getForwardKey();
    if (forwardKey != null && !forwardKey.isEmpty()) {
      forwarded = forwarded.key(forwardKey);
    }
    URI address = address(message.getVerifyInfo());
    refusal(key.business(), address)
        .ifPresent(
            reason -> {
              throw new InvalidMessageException("verifyInfo: " + reason);
            });
    return HalfMessage.of(key, forwarded).checkBack(address);
  }

  private static URI address(MiddlewareMessage.@Nullable VerifyInfo info) {
    if (info == null) {
      throw new InvalidMessageException("verifyInfo: null (expected: where the producer is asked)");
    }
    return new ProducerPlace(
            info.getProtocolType(),
            info.getRegistryProtocol(),
            info.getRegistryAddress(),
            info.getUrl(),
            info.getVersion())
        .address();
  }

  private Destination topic(String topic) {
    try {
      return new Destination(transport, topic);
    } catch (InvalidMessageException e) {
      throw new InvalidMessageException(
          "forwardTopic: " + PrintableExcerpt.of(String.valueOf(e.getMessage())));
    }
  }

  private Optional<String> refusal(String business, URI address) {
    if (checkBacks.isEmpty()) {
      return Optional.empty();
    }
    CheckBackTransport asked = checkBacks.get(address.getScheme().toLowerCase(Locale.ROOT));
    return asked == null
        ? Optional.of("nobody here asks producers at " + PrintableExcerpt.of(address.toString()))
        : asked.refusal(business, address);
  }

  private static String present(String field, @Nullable String value) {
    if (value == null || value.isBlank()) {
      throw new InvalidMessageException(
          field + ": " + (value == null ? "null" : "blank") + " (expected: a value)");
    }
    return value;
  }
}
