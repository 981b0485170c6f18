package io.angarium.examples.consoledemo.scene;

import io.angarium.MessageId;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How the brokers of the shop answer. Whoever requeues a dead letter has mended its cause, so that
 * it arrives the second time. Thread-safe.
 */
public final class BrokerAnswers {
  /** The topic of orders takes no larger record. */
  static final int ORDER_BYTES_MAX = 20_000;

  /** The stock takes a count after so many failed attempts. */
  static final int COUNT_FAILURES = 4;

  private final Map<MessageId, Integer> tries = new ConcurrentHashMap<>();

  SendResult of(StoredMessage stored) {
    return switch (stored.message().destination().toString()) {
      case Trade.ORDERS -> order(stored);
      case Trade.MAIL -> mail(stored);
      case Trade.INVOICES -> invoice(stored);
      case Trade.STOCK -> stock(stored);
      case Trade.NOTES -> refusedOnce(stored, HostileTexts.reason(stored.message().key()));
      default -> SendResult.ACKNOWLEDGED;
    };
  }

  private SendResult order(StoredMessage stored) {
    int bytes = stored.message().payload().length;
    return bytes <= ORDER_BYTES_MAX
        ? SendResult.ACKNOWLEDGED
        : refusedOnce(
            stored, "record of %d bytes is larger than max.message.bytes".formatted(bytes));
  }

  private SendResult mail(StoredMessage stored) {
    return isOf(stored, Trade.NEWSLETTER)
        ? refusedOnce(stored, "the mail server refuses the recipient: mailbox unavailable")
        : SendResult.ACKNOWLEDGED;
  }

  private SendResult invoice(StoredMessage stored) {
    return isOf(stored, Trade.INVOICE_CORRECTED)
        ? refusedOnce(
            stored, "no queue is bound to exchange 'shop' with routing key 'invoice.corrected'")
        : SendResult.ACKNOWLEDGED;
  }

  private SendResult stock(StoredMessage stored) {
    if (isOf(stored, Trade.STOCK_RESERVED)) {
      return new SendResult.Failed(
          "https://stock.example.com/hooks/reservations did not answer within 5s; it answers other"
              + " requests; perhaps it has the message",
          null);
    }
    return isOf(stored, Trade.STOCK_COUNTED) && tried(stored) <= COUNT_FAILURES
        ? new SendResult.Failed("HTTP 500 from https://stock.example.com/hooks/counts", null)
        : SendResult.ACKNOWLEDGED;
  }

  private SendResult refusedOnce(StoredMessage stored, String reason) {
    return tried(stored) == 1 ? new SendResult.Refused(reason, null) : SendResult.ACKNOWLEDGED;
  }

  private int tried(StoredMessage stored) {
    return tries.merge(stored.id(), 1, Integer::sum);
  }

  private static boolean isOf(StoredMessage stored, String type) {
    return type.equals(stored.message().type());
  }
}
