package io.angarium.transport;

import io.angarium.ConfigFaults;
import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.internal.Wildcard;
import java.time.Duration;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;

/**
 * Which messages for Kafka and RabbitMQ are also CloudEvents 1.0, in the binary mode of the
 * bindings for Kafka and AMQP. Such a message keeps its own headers and has one more for each
 * attribute: {@code ce_id} on Kafka, {@code cloudEvents:id} on RabbitMQ. The attributes are {@code
 * id}, {@code source}, {@code specversion}, {@code type}, {@code time} (when it was written),
 * {@code partitionkey} (its key, if it has one), and as an extension each header of the message
 * whose name may be that of an attribute: 1..20 lower case letters and digits. Immutable.
 *
 * @param destinations those whose messages are events, e.g. {@code kafka:orders}; {@code *} stands
 *     for any characters; none for no message
 * @param source the attribute {@code source}, a URI or a part of one, 1..200 characters; default
 *     {@code angarium}
 * @param type the attribute {@code type} of messages without a type, 1..200 characters; default
 *     {@code angarium.message}
 */
public record CloudEvents(List<String> destinations, String source, String type) {
  /** No events. */
  public static final CloudEvents NONE = new CloudEvents(List.of(), "angarium", "angarium.message");

  private static final int TEXT_MAX = 200;

  /**
   * Before the name of an attribute, by transport. RabbitMQ's gets a colon in place of the line
   * when it is sent.
   */
  private static final Map<String, String> PREFIXES =
      Map.of("kafka", "ce_", "rabbitmq", "cloudEvents_");

  private static final Pattern ATTRIBUTE = Pattern.compile("[a-z0-9]{1,20}");

  /** Attributes that have a meaning of their own here. */
  private static final Set<String> OWN_ATTRIBUTES =
      Set.of(
          "id", "source", "specversion", "type", "time", "partitionkey", "datacontenttype", "data");

  /**
   * Checks everything.
   *
   * @throws io.angarium.ConfigurationException listing all faults at once
   */
  public CloudEvents {
    destinations = List.copyOf(destinations);
    ConfigFaults faults = new ConfigFaults();
    for (String destination : destinations) {
      faults.require(
          PREFIXES.keySet().stream().anyMatch(name -> destination.startsWith(name + ":")),
          "cloud-events.destinations",
          "'" + destination + "'",
          "kafka:... or rabbitmq:...; web hooks always get events");
    }
    faults
        .require(isText(source), "cloud-events.source", "'" + source + "'", "1..200 characters")
        .require(isText(type), "cloud-events.type", "'" + type + "'", "1..200 characters")
        .throwIfAny();
  }

  private static boolean isText(String text) {
    return !text.isBlank()
        && text.length() <= TEXT_MAX
        && text.chars().noneMatch(Character::isISOControl);
  }

  /**
   * Whether a header of a message may be an extension attribute of this name, here and with web
   * hooks.
   */
  public static boolean isExtension(String name) {
    return ATTRIBUTE.matcher(name).matches() && !OWN_ATTRIBUTES.contains(name);
  }

  /**
   * A transport that sends what this says as events; the given one itself if it is neither Kafka's
   * nor RabbitMQ's, or no destination is named. Closing it closes the given one.
   */
  public Transport around(Transport transport) {
    String prefix = PREFIXES.get(transport.name());
    return prefix == null || destinations.isEmpty()
        ? transport
        : new Sender(transport, this, prefix, destinations.stream().map(Wildcard::of).toList());
  }

  private StoredMessage event(StoredMessage stored, String prefix) {
    Message message = stored.message();
    Map<String, String> headers = new LinkedHashMap<>(message.headers().asMap());
    message
        .headers()
        .forEach(
            (name, value) -> {
              if (isExtension(name) && !value.isEmpty()) {
                headers.put(prefix + name, value);
              }
            });
    String ownType = message.type();
    headers.put(prefix + "specversion", "1.0");
    headers.put(prefix + "id", stored.id().toString());
    headers.put(prefix + "source", source);
    headers.put(prefix + "type", ownType == null || ownType.isEmpty() ? type : ownType);
    headers.put(prefix + "time", stored.writtenAt().toString());
    String key = message.key();
    if (key != null && !key.isEmpty()) {
      headers.put(prefix + "partitionkey", key);
    }
    return new StoredMessage(
        stored.position(),
        stored.id(),
        message.headers(Headers.of(headers)),
        stored.attempts(),
        stored.createdAt());
  }

  /** Everything but {@link #send} goes to the transport behind it. */
  private record Sender(
      Transport transport, CloudEvents events, String prefix, List<Wildcard> destinations)
      implements Transport {
    @Override
    public String name() {
      return transport.name();
    }

    @Override
    public KeyOrder keyOrder() {
      return transport.keyOrder();
    }

    @Override
    public Optional<String> addressFault(String address) {
      return transport.addressFault(address);
    }

    @Override
    public Transport of(String caller) {
      return events.around(transport.of(caller));
    }

    @Override
    public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
      List<StoredMessage> sent = new ArrayList<>(messages.size());
      IdentityHashMap<StoredMessage, StoredMessage> given = new IdentityHashMap<>();
      for (StoredMessage message : messages) {
        StoredMessage each = isEvent(message) ? events.event(message, prefix) : message;
        sent.add(each);
        given.put(each, message);
      }
      transport.send(
          sent, (each, result) -> results.accept(given.getOrDefault(each, each), result));
    }

    private boolean isEvent(StoredMessage message) {
      String destination = message.message().destination().address();
      String whole = transport.name() + ":" + destination;
      return destinations.stream().anyMatch(each -> each.fits(whole));
    }

    @Override
    public Duration resultMax() {
      return transport.resultMax();
    }

    @Override
    public Duration blockingMax() {
      return transport.blockingMax();
    }

    @Override
    public void flush(Duration timeout) {
      transport.flush(timeout);
    }

    @Override
    public void close() {
      transport.close();
    }
  }
}
