package io.angarium.testkit.memory;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.MessageLimits;
import io.angarium.Outbox;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.intake.NewMessage;
import io.angarium.intake.Partitioning;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.PublishedMessages;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * An outbox for tests of code that is given one: it refuses what a real one refuses, sends nothing,
 * and remembers what was sent. It knows no transactions: whatever is sent counts as published. A
 * test that is about commits and rollbacks takes {@link InMemoryDatabase} or a real database.
 * Thread-safe.
 */
public final class RecordingOutbox implements Outbox {
  private final PublishedMessages published = new PublishedMessages();
  private final MessageIntake intake;

  /** Creates an empty one, with the usual limits; ids are the same in every run. */
  public RecordingOutbox() {
    Random random = new Random(1);
    intake =
        new MessageIntake(
            MessageLimits.DEFAULTS,
            Partitioning.DEFAULTS,
            null,
            List.of(),
            ManualClock.create(),
            random::nextLong);
  }

  @Override
  public MessageId send(Message message) {
    return sendAll(List.of(message)).get(0);
  }

  @Override
  public List<MessageId> sendAll(List<Message> messages) {
    List<NewMessage> accepted = new ArrayList<>();
    for (Message message : messages) {
      accepted.add(intake.accept(message, Handover.NONE));
    }
    published.record(accepted.stream().map(NewMessage::message).toList());
    return accepted.stream().map(NewMessage::id).toList();
  }

  /** What was sent; the same at every call. */
  public PublishedMessages published() {
    return published;
  }
}
