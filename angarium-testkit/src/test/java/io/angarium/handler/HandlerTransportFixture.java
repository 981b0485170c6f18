package io.angarium.handler;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.MessageLimits;
import io.angarium.testkit.fake.BrokerMessage;
import io.angarium.testkit.memory.InMemoryInbox;
import io.angarium.testkit.tck.TransportFixture;
import io.angarium.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The fixture of the transport contract: handlers that write what they get with the transaction of
 * an inbox in memory. The outage is one of that inbox; the destination that nobody knows belongs to
 * a handler that refuses everything, for one that is not here may be on another node.
 */
final class HandlerTransportFixture implements TransportFixture {
  private static final String TRANSPORT = "handler";
  private static final int FRESH = 3;

  private final InMemoryInbox inbox = new InMemoryInbox();
  private final Map<MessageId, Message> handled = new ConcurrentHashMap<>();
  private final HandlerTransport<List<String>> transport;
  private int lastFresh;

  HandlerTransportFixture(HandlerConfig config) {
    List<OutboxHandler<List<String>>> handlers = new ArrayList<>();
    handlers.add(NamedHandler.of("unknown", HandlerTransportFixture::refuse));
    for (int i = 1; i <= FRESH; i++) {
      handlers.add(NamedHandler.of("fresh-" + i, this::write));
    }
    this.transport = HandlerTransport.open(inbox, handlers, config);
  }

  private static void refuse(List<String> writes, Delivery delivery) {
    throw new RefusedByHandlerException(
        "nobody wants messages to " + delivery.message().destination());
  }

  private void write(List<String> writes, Delivery delivery) {
    int size = delivery.message().payload().length;
    if (size > MessageLimits.DEFAULTS.payloadBytesMax()) {
      throw new RefusedByHandlerException("its payload has " + size + " bytes, too many");
    }
    handled.put(delivery.id(), delivery.message());
    writes.add(delivery.id().toString());
  }

  @Override
  public Transport transport() {
    return transport;
  }

  @Override
  public Destination freshDestination() {
    lastFresh++;
    return new Destination(TRANSPORT, "fresh-" + lastFresh);
  }

  @Override
  public Destination unknownDestination() {
    return new Destination(TRANSPORT, "unknown");
  }

  @Override
  public Message tooLarge(Destination destination) {
    return Message.of(destination, new byte[MessageLimits.DEFAULTS.payloadBytesMax() + 1]);
  }

  @Override
  public List<BrokerMessage> stored(Destination destination) {
    return inbox.written().stream()
        .map(MessageId::parse)
        .map(id -> new BrokerMessage(id, Objects.requireNonNull(handled.get(id))))
        .filter(stored -> stored.message().destination().equals(destination))
        .toList();
  }

  @Override
  public void makeUnavailable() {
    inbox.unreachable(true);
  }

  @Override
  public void makeAvailable() {
    inbox.unreachable(false);
  }

  @Override
  public void close() {
    transport.close();
  }
}
