package io.angarium.jdbc.internal.write;

import io.angarium.MessageId;
import io.angarium.TimeSource;
import io.angarium.deadletter.DeadLetter;
import io.angarium.deadletter.DeadLetterPage;
import io.angarium.deadletter.DeadLetterQuery;
import io.angarium.deadletter.DeadLetterRow;
import io.angarium.deadletter.DeadLetters;
import io.angarium.deadletter.Decision;
import io.angarium.intake.Position;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.sql.SessionRole;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The dead letters of one database. Takes a connection for each call; changes hold the leases of
 * the partitions concerned, so that they never cross a write of the owner. Thread-safe.
 */
public final class JdbcDeadLetters implements DeadLetters {
  private static final Logger LOG = LoggerFactory.getLogger(JdbcDeadLetters.class);

  /** Rows whose sizes are read at a time. */
  private static final int SIZES_MAX = 100;

  private record Sized(Position position, MessageId id, long bytes) {}

  private final OpenDatabase database;
  private final Dialect dialect;
  private final MessageRows rows;
  private final DeadDialect light;
  private final DeadLetterRows lightRows;
  private final DeadLetterActs acts;

  public JdbcDeadLetters(OpenDatabase database, MessageRows rows) {
    this.database = database;
    this.dialect = database.dialect();
    this.rows = rows;
    this.light = new DeadDialect(dialect);
    this.lightRows = new DeadLetterRows(dialect, TimeSource.SYSTEM::nanoTime);
    this.acts = new DeadLetterActs(dialect);
  }

  @Override
  public List<DeadLetter> page(@Nullable String destination, @Nullable Position after, int limit) {
    if (limit < 1 || limit > PAGE_MAX) {
      throw new IllegalArgumentException("limit: " + limit + " (expected: 1.." + PAGE_MAX + ")");
    }
    try (Session session = session(SessionRole.READ)) {
      return session.call("reading dead letters", in -> page(in, destination, after, limit));
    }
  }

  /** Sizes first, so that no more payloads are loaded than the page may hold. */
  private List<DeadLetter> page(
      Connection in, @Nullable String destination, @Nullable Position after, int limit)
      throws SQLException {
    List<DeadLetter> page = new ArrayList<>();
    Position last = after;
    long room = PAGE_BYTES_MAX;
    while (page.size() < limit) {
      int stride = Math.min(SIZES_MAX, limit - page.size());
      List<Sized> sizes = light.sizes(destination, last, stride).query(in, this::sized);
      List<Sized> fitting = new ArrayList<>();
      for (Sized each : sizes) {
        room -= each.bytes();
        if (room < 0 && !(page.isEmpty() && fitting.isEmpty())) {
          break;
        }
        fitting.add(each);
        last = each.position();
      }
      page.addAll(load(in, fitting));
      if (room < 0 || sizes.size() < stride) {
        break;
      }
    }
    return page;
  }

  private List<DeadLetter> load(Connection in, List<Sized> wanted) throws SQLException {
    if (wanted.isEmpty()) {
      return List.of();
    }
    Set<Position> positions = wanted.stream().map(Sized::position).collect(Collectors.toSet());
    return dialect
        .deadLetters()
        .deadOf(wanted.stream().map(each -> each.id().value()).distinct().toList())
        .query(in, rows::deadLetter)
        .stream()
        .filter(each -> positions.contains(each.message().position()))
        .toList();
  }

  private Sized sized(ResultSet row) throws SQLException {
    return new Sized(
        new Position(row.getInt(1), row.getLong(2)),
        new MessageId(dialect.uuid(row, 3)),
        row.getLong(4));
  }

  @Override
  public DeadLetterPage search(DeadLetterQuery query) {
    try (Session session = session(SessionRole.READ)) {
      return session.call("searching dead letters", in -> lightRows.search(in, query));
    }
  }

  private List<DeadLetter> find(Connection in, Collection<MessageId> ids) throws SQLException {
    List<Sized> fitting = new ArrayList<>();
    long room = PAGE_BYTES_MAX;
    List<DeadLetterRow> sizes = new ArrayList<>(lightRows.of(in, ids));
    sizes.sort(Comparator.comparing(DeadLetterRow::position));
    for (DeadLetterRow each : sizes) {
      room -= each.payloadBytes();
      if (room < 0 && !fitting.isEmpty()) {
        break;
      }
      fitting.add(new Sized(each.position(), each.id(), each.payloadBytes()));
    }
    return load(in, fitting).stream()
        .sorted(Comparator.comparing(found -> found.message().position()))
        .toList();
  }

  @Override
  public List<DeadLetterRow> rows(Collection<MessageId> ids) {
    requireFew(ids);
    if (ids.isEmpty()) {
      return List.of();
    }
    try (Session session = session(SessionRole.READ)) {
      return session.call("finding dead letters", in -> lightRows.of(in, ids));
    }
  }

  private static void requireFew(Collection<MessageId> ids) {
    if (ids.size() > PAGE_MAX) {
      throw new IllegalArgumentException(
          "ids: " + ids.size() + " (expected: at most " + PAGE_MAX + ")");
    }
  }

  @Override
  public List<DeadLetter> find(Collection<MessageId> ids) {
    requireFew(ids);
    if (ids.isEmpty()) {
      return List.of();
    }
    try (Session session = session(SessionRole.READ)) {
      return session.call("finding dead letters", in -> find(in, ids));
    }
  }

  @Override
  public int requeue(Collection<MessageId> ids, String by) {
    int requeued =
        change("requeueing dead letters", uuids(ids), (in, locked) -> acts.requeue(in, locked, by));
    LOG.info("{} of {} dead letters requeued by {}: {}", requeued, ids.size(), by, ids);
    return requeued;
  }

  @Override
  public Set<MessageId> requeue(Collection<MessageId> ids, Decision decision) {
    requireFew(ids);
    Set<MessageId> requeued = new LinkedHashSet<>();
    change(
        "requeueing dead letters",
        uuids(ids),
        (in, locked) -> {
          locked.forEach(id -> requeued.add(new MessageId(id)));
          return acts.requeue(in, locked, decision.by());
        });
    LOG.info(
        "{} of {} dead letters requeued by {}, reason '{}': {}",
        requeued.size(),
        ids.size(),
        decision.by(),
        decision.reason(),
        requeued);
    return requeued;
  }

  @Override
  public int discard(Collection<MessageId> ids, String by) {
    int discarded = change("discarding dead letters", uuids(ids), acts::delete);
    LOG.info("{} of {} dead letters discarded by {}: {}", discarded, ids.size(), by, ids);
    return discarded;
  }

  /** Changes dead letters of locked partitions and returns how many it changed. */
  @FunctionalInterface
  private interface Change {
    int of(Connection connection, List<UUID> locked) throws SQLException;
  }

  private int change(String what, List<UUID> ids, Change change) {
    if (ids.isEmpty()) {
      return 0;
    }
    AtomicInteger changed = new AtomicInteger();
    try (Session session = session(SessionRole.WRITE)) {
      session.transaction(
          what, in -> acts.change(in, ids, locked -> changed.set(change.of(in, locked))));
    }
    return changed.get();
  }

  private Session session(SessionRole role) {
    return database.session(role);
  }

  private static List<UUID> uuids(Collection<MessageId> ids) {
    return ids.stream().map(MessageId::value).distinct().toList();
  }
}
