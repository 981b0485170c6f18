package io.angarium.transport.internal;

import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import java.util.function.BiConsumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives results to their receivers, which must not throw and may. */
public final class ResultReceiver {
  private static final Logger LOG = LoggerFactory.getLogger(ResultReceiver.class);

  private ResultReceiver() {}

  /** Gives the result of a message; call it without a lock. An Error comes out. */
  public static void give(
      StoredMessage message, SendResult result, BiConsumer<StoredMessage, SendResult> receiver) {
    try {
      receiver.accept(message, result);
    } catch (RuntimeException e) { // breaks its contract, but must not cost the others theirs
      LOG.error("The receiver of results failed on message {}.", message, e);
    }
  }
}
