package io.angarium.testkit;

import io.angarium.MessageId;
import io.angarium.store.DeadLetter;
import io.angarium.store.DeadLetters;
import io.angarium.store.Position;
import io.angarium.store.StoredMessage;
import java.util.Collection;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The dead letters of an {@link InMemoryDatabase}. Thread-safe. */
final class InMemoryDeadLetters implements DeadLetters {
  /** How a call reaches the database. */
  interface Access {
    <T> T call(StoreCall call, Supplier<T> work);
  }

  private static final Logger LOG = LoggerFactory.getLogger(InMemoryDeadLetters.class);

  private final Storage storage;
  private final Access access;

  InMemoryDeadLetters(Storage storage, Access access) {
    this.storage = storage;
    this.access = access;
  }

  @Override
  public List<DeadLetter> page(@Nullable String destination, @Nullable Position after, int limit) {
    if (limit < 1 || limit > PAGE_MAX) {
      throw new IllegalArgumentException("limit: " + limit + " (expected: 1.." + PAGE_MAX + ")");
    }
    long afterSequence = after == null ? 0 : after.sequence();
    return access.call(
        StoreCall.PAGE,
        () ->
            storage.dead.values().stream()
                .filter(dead -> dead.message().position().sequence() > afterSequence)
                .filter(dead -> destination == null || destination.equals(destinationOf(dead)))
                .sorted((left, right) -> Long.compare(sequenceOf(left), sequenceOf(right)))
                .limit(limit)
                .toList());
  }

  @Override
  public List<DeadLetter> find(Collection<MessageId> ids) {
    return access.call(StoreCall.FIND, () -> ofIds(ids));
  }

  @Override
  public int requeue(Collection<MessageId> ids, String by) {
    return access.call(
        StoreCall.REQUEUE,
        () -> {
          List<DeadLetter> found = ofIds(ids);
          found.forEach(dead -> requeue(dead, by));
          return found.size();
        });
  }

  @Override
  public int discard(Collection<MessageId> ids, String by) {
    List<DeadLetter> discarded =
        access.call(
            StoreCall.DISCARD,
            () -> {
              List<DeadLetter> found = ofIds(ids);
              found.forEach(this::discard);
              return found;
            });
    discarded.forEach(dead -> LOG.info("{} discarded by {}", dead.message(), by));
    return discarded.size();
  }

  private void requeue(DeadLetter dead, String by) {
    StoredMessage fresh = ParkedMessage.withAttempts(dead.message(), 0);
    storage.dead.remove(fresh.position());
    storage.updatedBy.put(fresh.id(), by);
    if (dead.blocksKey()) {
      storage.parked.putBack(fresh, storage.now());
    } else {
      storage.enqueue(List.of(fresh));
    }
  }

  private void discard(DeadLetter dead) {
    StoredMessage message = dead.message();
    storage.dead.remove(message.position());
    if (dead.blocksKey()) {
      storage.parked.promoteLowest(
          message.position().partition(), message.keyHash(), storage.now());
    }
  }

  private List<DeadLetter> ofIds(Collection<MessageId> ids) {
    return storage.dead.values().stream()
        .filter(dead -> ids.contains(dead.message().id()))
        .sorted((left, right) -> Long.compare(sequenceOf(left), sequenceOf(right)))
        .toList();
  }

  private static long sequenceOf(DeadLetter dead) {
    return dead.message().position().sequence();
  }

  private static String destinationOf(DeadLetter dead) {
    return dead.message().message().destination().toString();
  }
}
