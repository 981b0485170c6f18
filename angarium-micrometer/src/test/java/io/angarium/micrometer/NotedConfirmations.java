package io.angarium.micrometer;

import io.angarium.MessageId;
import io.angarium.StoreException;
import io.angarium.confirmation.Confirmations;
import java.util.Collection;

/** Confirmations of which only the number counts. */
final class NotedConfirmations implements Confirmations {
  long unconfirmed;
  boolean away;

  @Override
  public void confirm(Collection<MessageId> ids) {
    unconfirmed -= ids.size();
  }

  @Override
  public Overdue settleOverdue() {
    return Overdue.NONE;
  }

  @Override
  public long unconfirmed() {
    if (away) {
      throw new StoreException("away", null);
    }
    return unconfirmed;
  }

  @Override
  public int forgetReceipts() {
    return 0;
  }
}
