package io.angarium.confirmation;

import io.angarium.MessageId;
import io.angarium.StoreException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The producer's side of the way that receipts come: reads them and notes them. For the listener of
 * a receipts topic, or a web endpoint. Thread-safe.
 */
public final class ReceiptIntake {
  private static final Logger LOG = LoggerFactory.getLogger(ReceiptIntake.class);

  private final Confirmations confirmations;
  private final AtomicBoolean failing = new AtomicBoolean();

  /** Creates it for the confirmations of the database that the messages were sent from. */
  public ReceiptIntake(Confirmations confirmations) {
    this.confirmations = confirmations;
  }

  /**
   * Notes the receipts of a message, see {@link #acceptAll}.
   *
   * @param text as {@link ReceiptText} has it
   */
  public void accept(byte[] text) {
    acceptAll(List.of(text));
  }

  /**
   * Notes the receipts of several messages at once. Blocks. Lines that are no receipts are logged
   * and passed over, and those beside them taken: they would be none the next time either.
   *
   * @throws StoreException if the database cannot be reached or refuses; have them delivered again
   */
  public void acceptAll(Collection<byte[]> texts) {
    Set<MessageId> ids = new LinkedHashSet<>();
    texts.forEach(text -> read(text, ids));
    confirmations.confirm(ids);
  }

  private static void read(byte[] text, Set<MessageId> ids) {
    List<String> faults = new ArrayList<>();
    ReceiptText.lines(text)
        .forEach(
            line -> {
              try {
                ids.add(ReceiptText.id(line));
              } catch (IllegalArgumentException e) {
                faults.add(String.valueOf(e.getMessage()));
              }
            });
    if (!faults.isEmpty()) {
      LOG.error(
          "{} lines that came as receipts are none and are passed over, the first: {}",
          faults.size(),
          faults.get(0));
    }
  }

  /**
   * Notes receipts like {@link #acceptAll}, for a reader that acknowledges what was taken and reads
   * the rest again. While the database is away, logs the failure once.
   *
   * @param from where the texts come from, for the log
   * @return false if the database cannot be reached or refuses; the reader must call it with the
   *     same texts again, after a pause
   */
  public boolean taken(String from, Collection<byte[]> texts) {
    try {
      acceptAll(texts);
    } catch (StoreException e) {
      refused(from, e);
      return false;
    }
    if (failing.compareAndSet(true, false)) {
      LOG.info("Receipts from {} are taken again", from);
    }
    return true;
  }

  private void refused(String from, StoreException reason) {
    if (failing.compareAndSet(false, true)) {
      LOG.warn(
          "Receipts from {} cannot be taken now; it is tried again: {}", from, reason.toString());
    } else {
      LOG.debug("Receipts from {} cannot be taken yet", from, reason);
    }
  }
}
