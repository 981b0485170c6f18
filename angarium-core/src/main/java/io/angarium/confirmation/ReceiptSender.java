package io.angarium.confirmation;

import io.angarium.MessageId;
import java.util.List;

/**
 * Brings receipts to the producer's side, e.g. {@link TransportReceipts} over a broker, or {@link
 * Confirmations#confirm} where both sides have one database. Called from one thread.
 */
@FunctionalInterface
public interface ReceiptSender {
  /**
   * Sends receipts. Blocks until they have arrived for good, or it is clear that they have not.
   *
   * @param ids at least one
   * @throws Exception to be called with them again, after a pause
   */
  void send(List<MessageId> ids) throws Exception;
}
