package io.angarium.confirmation;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.angarium.Destination;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.TimeSource;
import io.angarium.inbox.InboxKey;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * Sends receipts over a transport, e.g. to a topic on the broker that the messages came from, or to
 * a web hook. The transport is the caller's, and is not closed; it may be that of a relay, as
 * receipts have no key. For one thread at a time.
 */
public final class TransportReceipts implements ReceiptSender {
  private final Transport transport;
  private final Destination destination;
  private final TimeSource time;

  /**
   * Creates a sender.
   *
   * @param destination where the producer's side awaits them, e.g. {@code kafka:orders.receipts}
   * @throws IllegalArgumentException if it belongs to another transport
   */
  public TransportReceipts(Transport transport, Destination destination) {
    if (!destination.transport().equals(transport.name())) {
      throw new IllegalArgumentException(
          "destination of receipts: "
              + destination
              + " (expected: one of the transport "
              + transport.name()
              + ")");
    }
    this.transport = transport;
    this.destination = destination;
    this.time = TimeSource.SYSTEM;
  }

  @Override
  public void send(List<MessageId> confirmed) throws Exception {
    byte[] text = ReceiptText.encode(confirmed);
    Message message = Message.of(destination, text).type(ReceiptText.TYPE);
    StoredMessage row =
        new StoredMessage(new Position(0, 0), idOf(text), message, 0, time.instant());
    CompletableFuture<SendResult> result = new CompletableFuture<>();
    transport.send(List.of(row), (sent, answer) -> result.complete(answer));
    SendResult answer = result.get(transport.resultMax().toMillis(), TimeUnit.MILLISECONDS);
    if (!(answer instanceof SendResult.Acknowledged)) {
      throw new IOException("Receipts to " + destination + ": " + answer);
    }
  }

  /** Made of what it says, so that a repeat has the same. */
  private static MessageId idOf(byte[] text) {
    return new MessageId(InboxKey.of("receipts", new String(text, US_ASCII)).id());
  }
}
