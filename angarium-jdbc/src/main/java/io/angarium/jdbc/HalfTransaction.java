package io.angarium.jdbc;

import io.angarium.Message;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfState;
import io.angarium.half.HalfState.Transition;
import io.angarium.half.HalfStep;
import io.angarium.store.NewMessage;
import io.angarium.store.StoredMessage;
import io.angarium.store.Written;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Calls that take effect together. Each key has one row, which is added or held before anything is
 * concluded from it: so nobody decides a key beside this transaction. One thread, one transaction.
 */
final class HalfTransaction {
  /** Payloads that are in memory at a time, and again those that are handed over. */
  private static final long BYTES_MAX = 4 << 20;

  /** SQLState of a row that was forgotten between two statements: the next try finds it so. */
  static final String GONE = "02000";

  private static final Comparator<AcceptedCall> AS_STORED =
      Comparator.comparing(call -> call.id().toString());

  private final Connection connection;
  private final Dialect server;
  private final HalfDialect dialect;
  private final MessageRows rows;
  private final Map<UUID, Held> held = new HashMap<>();
  private final Map<UUID, Before> before = new HashMap<>();
  private final Set<Integer> keyedPartitions = new HashSet<>();
  private final List<StoredMessage> keyless = new ArrayList<>();
  private long bytesHandedOver;

  /** A row that nobody else can change now. */
  private record Held(long number, HalfState state, int payloadBytes, @Nullable Instant now) {
    Held in(HalfState after) {
      return new Held(number, after, payloadBytes, now);
    }
  }

  /** A row as it was found. */
  record Before(long number, HalfState state) {}

  HalfTransaction(Connection connection, Dialect server, HalfDialect dialect, MessageRows rows) {
    this.connection = connection;
    this.server = server;
    this.dialect = dialect;
    this.rows = rows;
  }

  /** What goes to the relay after the commit. */
  Written written() {
    return new Written(keyedPartitions, keyless);
  }

  /**
   * What was found when a key was held, which was not new.
   *
   * @param id of a key whose call was not refused as unknown
   */
  Before before(UUID id) {
    return Objects.requireNonNull(before.get(id));
  }

  /**
   * Makes the calls; those of one key one after the other, the others together.
   *
   * @param calls at most {@link HalfDialect#KEYS_MAX}
   * @return an answer for each, in their order
   */
  List<HalfAnswer> run(List<AcceptedCall> calls) throws SQLException {
    @Nullable HalfAnswer[] answers = new HalfAnswer[calls.size()];
    List<Integer> left = new ArrayList<>();
    for (int i = 0; i < calls.size(); i++) {
      left.add(i);
    }
    while (!left.isEmpty()) {
      Map<UUID, Integer> round = new LinkedHashMap<>();
      left.forEach(i -> round.putIfAbsent(calls.get(i).id(), i));
      left.removeAll(new HashSet<>(round.values()));
      List<HalfAnswer> some = runOnce(round.values().stream().map(calls::get).toList());
      int next = 0;
      for (int i : round.values()) {
        answers[i] = some.get(next++);
      }
    }
    return Arrays.stream(answers).map(Objects::requireNonNull).toList();
  }

  /** Calls of different keys. */
  private List<HalfAnswer> runOnce(List<AcceptedCall> calls) throws SQLException {
    List<AcceptedCall> ordered =
        calls.stream().filter(call -> !held.containsKey(call.id())).sorted(AS_STORED).toList();
    add(ordered.stream().filter(call -> call.step() == HalfStep.PREPARE).toList());
    hold(ordered.stream().filter(call -> !held.containsKey(call.id())).toList());
    List<AcceptedCall> early = ordered.stream().filter(this::isEarly).toList();
    add(early);
    hold(early.stream().filter(call -> !held.containsKey(call.id())).toList());
    List<HalfAnswer> answers = new ArrayList<>();
    Map<HalfState, List<AcceptedCall>> changes = new EnumMap<>(HalfState.class);
    for (AcceptedCall call : calls) {
      HalfState before = state(call);
      Transition transition = before.after(call.step());
      answers.add(HalfAnswer.of(call.key(), transition));
      if (transition.state() != before) {
        changes.computeIfAbsent(transition.state(), state -> new ArrayList<>()).add(call);
      }
    }
    change(changes);
    held.values().removeIf(row -> row.now() == null); // those that are new
    for (int i = 0; i < calls.size(); i++) {
      HalfState state = answers.get(i).state();
      held.computeIfPresent(calls.get(i).id(), (id, row) -> row.in(state));
    }
    return answers;
  }

  private void change(Map<HalfState, List<AcceptedCall>> changes) throws SQLException {
    send(changes.getOrDefault(HalfState.COMMITTED, List.of()));
    for (Map.Entry<HalfState, List<AcceptedCall>> change : changes.entrySet()) {
      HalfState after = change.getKey();
      List<UUID> ids = change.getValue().stream().map(AcceptedCall::id).toList();
      if (after.isFinal()) {
        changed(dialect.decide(after, ids), ids);
        forgetUnresolved(ids);
      } else {
        changed(dialect.mark(after, ids), ids);
      }
    }
  }

  private void changed(Sql update, List<UUID> ids) throws SQLException {
    int rows = update.update(connection);
    if (rows != ids.size()) {
      throw new SQLException(rows + " rows changed (expected: " + ids.size() + ")");
    }
  }

  /** What waits for a person does so no longer; other checks are struck off when they are due. */
  private void forgetUnresolved(List<UUID> decided) throws SQLException {
    List<Long> numbers =
        decided.stream()
            .map(held::get)
            .filter(Objects::nonNull)
            .filter(row -> row.state() == HalfState.UNRESOLVED)
            .map(Held::number)
            .toList();
    if (!numbers.isEmpty()) {
      new CheckDialect(server).strike(numbers).run(connection);
    }
  }

  private boolean isEarly(AcceptedCall call) {
    return call.row() != null && !held.containsKey(call.id());
  }

  private HalfState state(AcceptedCall call) throws SQLException {
    Held row = held.get(call.id());
    if (row == null && call.row() != null) {
      throw new SQLException("The row of " + call.key() + " was there and is gone", GONE);
    }
    return row == null ? HalfState.UNKNOWN : row.state();
  }

  /** Adds the rows that are not there; a new one can be seen by nobody else yet. */
  private void add(List<AcceptedCall> calls) throws SQLException {
    if (calls.isEmpty()) {
      return;
    }
    List<HalfRow> added = calls.stream().map(call -> Objects.requireNonNull(call.row())).toList();
    Set<UUID> fresh = dialect.add(connection, added);
    for (HalfRow row : added) {
      if (fresh.contains(row.id())) {
        held.put(row.id(), new Held(0, row.state(), 0, null));
      }
    }
  }

  private void hold(List<AcceptedCall> calls) throws SQLException {
    if (!calls.isEmpty()) {
      Sql sql = dialect.lock(calls.stream().map(AcceptedCall::id).toList());
      sql.forEach(connection, this::hold);
    }
  }

  private void hold(ResultSet row) throws SQLException {
    UUID id = server.uuid(row, 1);
    HalfState state = HalfDialect.state(row.getString(2));
    before.putIfAbsent(id, new Before(row.getLong(5), state));
    held.put(id, new Held(row.getLong(5), state, row.getInt(3), server.instant(row, 4)));
  }

  /** Writes messages into the outbox, in the order of the calls, some MiB at a time. */
  private void send(List<AcceptedCall> commits) throws SQLException {
    List<AcceptedCall> some = new ArrayList<>();
    long bytes = 0;
    for (AcceptedCall call : commits) {
      long length = bytes(call);
      if (!some.isEmpty() && bytes + length > BYTES_MAX) {
        sendSome(some, bytes);
        some.clear();
        bytes = 0;
      }
      some.add(call);
      bytes += length;
    }
    sendSome(some, bytes);
  }

  private long bytes(AcceptedCall call) {
    return Math.max(call.bytes(), Objects.requireNonNull(held.get(call.id())).payloadBytes());
  }

  private void sendSome(List<AcceptedCall> commits, long bytes) throws SQLException {
    List<UUID> stored =
        commits.stream().filter(call -> call.message() == null).map(AcceptedCall::id).toList();
    Map<UUID, NewMessage> messages = stored.isEmpty() ? new HashMap<>() : stored(stored);
    for (AcceptedCall call : commits) {
      if (call.message() != null) { // its commit was remembered
        messages.put(call.id(), due(call.id(), call.message(), call.delay()));
      }
    }
    Written written =
        new OutboxWriter(server)
            .write(
                connection,
                commits.stream()
                    .map(call -> Objects.requireNonNull(messages.get(call.id())))
                    .toList());
    keyedPartitions.addAll(written.keyedPartitions());
    bytesHandedOver += bytes;
    if (bytesHandedOver <= BYTES_MAX || keyless.isEmpty()) {
      keyless.addAll(written.keyless()); // the relay finds the others
    }
  }

  private Map<UUID, NewMessage> stored(List<UUID> ids) throws SQLException {
    Map<UUID, NewMessage> messages = new HashMap<>();
    dialect
        .messages(ids)
        .forEach(
            connection,
            row -> {
              StoredMessage stored = rows.message(row);
              UUID id = server.uuid(row, 14);
              boolean timed = row.getObject(15) != null;
              Message message =
                  timed ? stored.message().notBefore(server.instant(row, 15)) : stored.message();
              NewMessage prepared =
                  new NewMessage(stored.id(), stored.position().partition(), message);
              messages.put(id, due(id, prepared, Duration.ofMillis(row.getLong(16))));
            });
    return messages;
  }

  /** The delay counts from now, by the clock of the database. */
  private NewMessage due(UUID id, NewMessage message, Duration delay) {
    if (delay.isZero()) {
      return message;
    }
    Instant now = Objects.requireNonNull(Objects.requireNonNull(held.get(id)).now());
    return new NewMessage(
        message.id(), message.partition(), message.message().notBefore(now.plus(delay)));
  }
}
