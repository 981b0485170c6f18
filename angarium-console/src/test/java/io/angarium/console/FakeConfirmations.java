package io.angarium.console;

import io.angarium.MessageId;
import io.angarium.confirmation.ConfirmationDesk;
import io.angarium.desk.ActBy;
import io.angarium.desk.ActResult;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/** Unconfirmed messages of two destinations; every one can be sent again. Thread-safe. */
final class FakeConfirmations implements ConfirmationDesk {
  @Override
  public List<Unconfirmed> byDestination() {
    return List.of(
        new Unconfirmed("kafka:orders", 40, FakeDesk.NOW, 12, 2, 3, FakeDesk.NOW, 0),
        new Unconfirmed("kafka:payments", 3, FakeDesk.NOW, 0, 0, 1, FakeDesk.NOW, 0));
  }

  @Override
  public ActResult sendAgain(Collection<MessageId> unconfirmed, ActBy by) {
    return new ActResult(List.copyOf(unconfirmed), List.of(), Map.of());
  }
}
