package io.angarium.testkit.memory;

import io.angarium.BusinessKey;
import io.angarium.Headers;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.deadletter.DeadLetter;
import io.angarium.deadletter.DeadLetterPage;
import io.angarium.deadletter.DeadLetterPage.Looked;
import io.angarium.deadletter.DeadLetterQuery;
import io.angarium.deadletter.DeadLetterQuery.Order;
import io.angarium.deadletter.DeadLetterRow;
import io.angarium.deadletter.DeadLetters;
import io.angarium.deadletter.Decision;
import io.angarium.desk.MessageActs.Correction;
import io.angarium.intake.Partitioning;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
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
            bounded(
                storage.dead.values().stream()
                    .filter(dead -> dead.message().position().sequence() > afterSequence)
                    .filter(dead -> destination == null || destination.equals(destinationOf(dead)))
                    .sorted((left, right) -> Long.compare(sequenceOf(left), sequenceOf(right)))
                    .limit(limit)
                    .toList()));
  }

  private static List<DeadLetter> bounded(List<DeadLetter> all) {
    List<DeadLetter> page = new ArrayList<>();
    long room = PAGE_BYTES_MAX;
    for (DeadLetter each : all) {
      room -= each.message().message().payload().length;
      if (room < 0 && !page.isEmpty()) {
        break;
      }
      page.add(each);
    }
    return page;
  }

  @Override
  public DeadLetterPage search(DeadLetterQuery query) {
    return access.call(StoreCall.PAGE, () -> searchNow(query));
  }

  private DeadLetterPage searchNow(DeadLetterQuery query) {
    List<DeadLetterRow> found = new ArrayList<>();
    Position last = query.after();
    Instant until = null;
    int looked = 0;
    for (DeadLetterRow row : behind(query)) {
      if (looked == query.rowsMax() || found.size() == query.limit()) {
        boolean complete = found.size() == query.limit();
        return new DeadLetterPage(found, last, new Looked(looked, until, complete), storage.now());
      }
      looked++;
      last = row.position();
      until = row.createdAt();
      if (query.matches().test(row)) {
        found.add(row);
      }
    }
    return new DeadLetterPage(found, null, new Looked(looked, until, true), storage.now());
  }

  private List<DeadLetterRow> behind(DeadLetterQuery query) {
    Comparator<Position> order =
        Comparator.comparingLong(Position::sequence).thenComparingInt(Position::partition);
    Comparator<Position> wanted = query.order() == Order.OLDEST ? order : order.reversed();
    Position after = query.after();
    return storage.dead.values().stream()
        .map(InMemoryDeadLetters.this::row)
        .filter(row -> after == null || wanted.compare(row.position(), after) > 0)
        .sorted(Comparator.comparing(DeadLetterRow::position, wanted))
        .toList();
  }

  @Override
  public List<DeadLetterRow> rows(Collection<MessageId> ids) {
    requireFew(ids);
    return access.call(StoreCall.FIND, () -> ofIds(ids).stream().map(this::row).toList());
  }

  private static void requireFew(Collection<MessageId> ids) {
    if (ids.size() > PAGE_MAX) {
      throw new IllegalArgumentException(
          "ids: " + ids.size() + " (expected: at most " + PAGE_MAX + ")");
    }
  }

  private DeadLetterRow row(DeadLetter dead) {
    Message message = dead.message().message();
    BusinessKey business = message.business();
    return new DeadLetterRow(
        dead.message().position(),
        dead.message().id(),
        message.destination().toString(),
        message.key(),
        message.type(),
        business == null ? null : business.type(),
        business == null ? null : business.key(),
        message.createdBy(),
        storage.updatedBy.get(dead.message().id()),
        message.payload().length,
        dead.message().attempts(),
        dead.message().createdAt(),
        dead.deadSince(),
        dead.reason(),
        dead.blocksKey());
  }

  private List<DeadLetter> fitting(Collection<MessageId> ids) {
    List<DeadLetter> found = new ArrayList<>();
    long room = PAGE_BYTES_MAX;
    for (DeadLetter each :
        ofIds(ids).stream().sorted(Comparator.comparing(d -> d.message().position())).toList()) {
      room -= each.message().message().payload().length;
      if (room < 0 && !found.isEmpty()) {
        break;
      }
      found.add(each);
    }
    return found;
  }

  @Override
  public List<DeadLetter> find(Collection<MessageId> ids) {
    requireFew(ids);
    return access.call(StoreCall.FIND, () -> fitting(ids));
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
  public Set<MessageId> requeue(Collection<MessageId> ids, Decision decision) {
    requireFew(ids);
    Set<MessageId> requeued = new LinkedHashSet<>();
    access.call(
        StoreCall.REQUEUE,
        () -> {
          for (DeadLetter dead : ofIds(ids)) {
            requeue(dead, decision.by());
            requeued.add(dead.message().id());
          }
          return requeued.size();
        });
    LOG.info("{} requeued by {}, reason '{}'", requeued, decision.by(), decision.reason());
    return requeued;
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

  void requeue(DeadLetter dead, String by) {
    StoredMessage fresh = ParkedMessage.withAttempts(dead.message(), 0);
    storage.dead.remove(fresh.position());
    storage.updatedBy.put(fresh.id(), by);
    if (dead.blocksKey()) {
      storage.parked.putBack(fresh, storage.now());
      storage.promoteUnlessBlocked(fresh.position().partition(), fresh.keyHash());
    } else {
      storage.enqueue(List.of(fresh));
    }
  }

  /** Changes parts of a dead letter and sends it again. */
  void correct(DeadLetter dead, Correction change, Partitioning partitioning, String by) {
    StoredMessage former = dead.message();
    StoredMessage fresh = corrected(former, change, partitioning);
    boolean moves = fresh.keyHash() != former.keyHash();
    boolean blocks = dead.blocksKey() && !moves;
    storage.dead.remove(former.position());
    requeue(new DeadLetter(fresh, dead.reason(), dead.deadSince(), blocks), by);
    if (dead.blocksKey() && moves) {
      storage.promoteUnlessBlocked(former.position().partition(), former.keyHash());
    }
  }

  private static StoredMessage corrected(
      StoredMessage former, Correction change, Partitioning partitioning) {
    Message old = former.message();
    byte[] payload = change.payload();
    Headers headers = change.headers();
    String key = change.keyOf(old.key());
    Message message =
        Message.of(
                change.destinationOf(old.destination()), payload == null ? old.payload() : payload)
            .headers(headers == null ? old.headers() : headers)
            .key(key)
            .type(old.type())
            .business(old.business())
            .createdBy(old.createdBy())
            .notBefore(old.notBefore());
    int partition =
        key == null
            ? former.position().partition()
            : partitioning.ofKeyHash(Partitioning.keyHash(message.destination(), key));
    Position position = new Position(partition, former.position().sequence());
    return new StoredMessage(position, former.id(), message, former.attempts(), former.createdAt());
  }

  void discard(DeadLetter dead) {
    StoredMessage message = dead.message();
    storage.dead.remove(message.position());
    if (dead.blocksKey()) {
      storage.promoteUnlessBlocked(message.position().partition(), message.keyHash());
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
