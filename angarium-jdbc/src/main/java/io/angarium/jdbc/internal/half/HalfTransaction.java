package io.angarium.jdbc.internal.half;

import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfState;
import io.angarium.half.HalfState.Transition;
import io.angarium.half.HalfStep;
import io.angarium.half.Refusal;
import io.angarium.intake.CommittedMessages;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls that take effect together. Each key has one row, which is added or held before anything is
 * concluded from it: so nobody decides a key beside this transaction. One thread, one transaction.
 */
public final class HalfTransaction {
  /** SQLState of a row that was forgotten between two statements: the next try finds it so. */
  static final String GONE = "02000";

  /** Where a row with its message has the message's id, and the time at which it was prepared. */
  private static final int MESSAGE_ID = 3;

  private static final int CREATED = 13;

  private final Connection connection;
  private final Dialect server;
  private final HalfDialect dialect;
  private final MessageRows rows;
  private final Map<UUID, Held> held = new HashMap<>();
  private final Map<UUID, Before> before = new HashMap<>();
  private final Set<UUID> sent = new HashSet<>();
  private final Map<UUID, UUID> adding = new HashMap<>();
  private final Set<UUID> fresh = new HashSet<>();
  private final List<Consumer<HalfListener>> news = new ArrayList<>();
  private final HalfSending sending;
  private boolean begun;

  /** A row that nobody else can change now; without a time if it was written just now. */
  private record Held(
      long number, HalfState state, int payloadBytes, @Nullable Instant now, Duration age) {
    Held in(HalfState after) {
      return new Held(number, after, payloadBytes, now, age);
    }
  }

  /** A row as it was found. */
  public record Before(long number, HalfState state) {}

  public HalfTransaction(
      Connection connection, Dialect server, HalfDialect dialect, MessageRows rows) {
    this.connection = connection;
    this.server = server;
    this.dialect = dialect;
    this.rows = rows;
    this.sending = new HalfSending(connection, server, dialect, rows);
  }

  /** What goes to the relay after the commit. */
  public CommittedMessages written(@Nullable UUID source) {
    return sending.written(source);
  }

  /** What is told after the commit. */
  public void tell(HalfListener listener) {
    news.forEach(event -> event.accept(listener));
  }

  /**
   * What was found when a key was held, which was not new.
   *
   * @param id of a key whose call was not refused as unknown
   */
  public Before before(UUID id) {
    return Objects.requireNonNull(before.get(id));
  }

  /**
   * Makes the calls. Calls of one key run one after the other, the others together.
   *
   * @param calls at most {@link HalfDialect#KEYS_MAX}
   * @return an answer for each, in their order
   */
  public List<HalfAnswer> run(List<AcceptedCall> calls) throws SQLException {
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
        calls.stream().filter(call -> !isHeld(call)).sorted(AcceptedCall.AS_STORED).toList();
    add(ordered.stream().filter(call -> call.step() == HalfStep.PREPARE).toList());
    begun = true;
    commitAtOnce(calls.stream().filter(call -> call.commits() && !isHeld(call)).toList());
    hold(ordered.stream().filter(call -> !isHeld(call)).toList());
    List<AcceptedCall> early = ordered.stream().filter(this::isEarly).toList();
    add(early);
    hold(early.stream().filter(call -> !isHeld(call)).toList());
    List<HalfAnswer> answers = new ArrayList<>();
    Map<HalfState, List<AcceptedCall>> changes = new EnumMap<>(HalfState.class);
    for (AcceptedCall call : calls) {
      HalfState before = state(call);
      Transition transition = before.after(call.step());
      answers.add(HalfAnswer.of(call.key(), transition));
      note(call, before, transition);
      if (transition.state() != before && !sent.contains(call.id())) {
        changes.computeIfAbsent(transition.state(), state -> new ArrayList<>()).add(call);
      }
    }
    change(changes);
    adding.clear();
    fresh.clear();
    held.values().removeIf(row -> row.now() == null); // those that are new
    for (int i = 0; i < calls.size(); i++) {
      HalfState state = answers.get(i).state();
      held.computeIfPresent(calls.get(i).id(), (id, row) -> row.in(state));
    }
    return answers;
  }

  private void note(AcceptedCall call, HalfState found, Transition transition) {
    HalfKey key = call.key();
    HalfState before = fresh.contains(call.id()) ? HalfState.UNKNOWN : found;
    Held row = held.get(call.id());
    Duration age = row == null || !before.isOpen() ? Duration.ZERO : row.age();
    if (transition.state() != before && !transition.state().isRemembered()) {
      news.add(listener -> listener.changed(key, before, transition.state(), age));
    }
    Refusal refusal = transition.refusal();
    if (refusal != null) {
      news.add(listener -> listener.refused(key, call.step(), refusal));
    }
  }

  private void change(Map<HalfState, List<AcceptedCall>> changes) throws SQLException {
    List<AcceptedCall> commits = changes.getOrDefault(HalfState.COMMITTED, List.of());
    sending.send(commits.stream().map(this::commit).toList());
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

  private HalfSending.Commit commit(AcceptedCall call) {
    Held row = Objects.requireNonNull(held.get(call.id()));
    return new HalfSending.Commit(call, row.payloadBytes(), row.now());
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

  private boolean isHeld(AcceptedCall call) {
    return held.containsKey(call.id());
  }

  private boolean isEarly(AcceptedCall call) {
    return call.row() != null && !isHeld(call);
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
    Set<UUID> known =
        begun
            ? dialect.inserts().add(connection, added)
            : dialect.inserts().addFirst(connection, added);
    for (HalfRow row : added) {
      if (row.message() != null) {
        adding.put(row.id(), row.message().id().value());
      }
      if (known.contains(row.id())) {
        fresh.add(row.id());
        held.put(row.id(), new Held(0, row.state(), 0, null, Duration.ZERO));
      }
    }
  }

  /** Holds the rows of the calls; rows of commits with their messages. */
  private void hold(List<AcceptedCall> calls) throws SQLException {
    if (calls.isEmpty()) {
      return;
    }
    List<UUID> ids = calls.stream().map(AcceptedCall::id).toList();
    if (calls.stream().noneMatch(AcceptedCall::commits)) {
      dialect
          .lock(ids)
          .forEach(
              connection,
              row -> hold(row, 1, HalfDialect.LOCK_CREATED, HalfDialect.LOCK_MESSAGE_ID));
      return;
    }
    dialect
        .lockMessages(ids)
        .forEach(
            connection,
            row -> {
              Held found = hold(row, HalfSending.KEY, CREATED, MESSAGE_ID);
              if (found.state().isOpen()
                  && found.payloadBytes() <= HalfDialect.PAYLOAD_WITH_ROW_MAX) {
                sending.read(row);
              }
            });
  }

  private Held hold(ResultSet row, int column, int created, int messageId) throws SQLException {
    UUID id = server.uuid(row, column);
    HalfState state = HalfDialect.state(row.getString(column + 1));
    long number = row.getLong(column + 4);
    Instant now = server.instant(row, column + 3);
    UUID added = adding.get(id);
    if (added != null
        && row.getObject(messageId) != null
        && added.equals(server.uuid(row, messageId))) {
      fresh.add(id); // the insert did not tell
    }
    before.putIfAbsent(id, new Before(number, state));
    Duration age = Duration.between(server.instant(row, created), now);
    Held found =
        new Held(
            number, state, row.getInt(column + 2), now, age.isNegative() ? Duration.ZERO : age);
    held.put(id, found);
    return found;
  }

  /**
   * Commits in one statement, where the database can, what nothing stands against; the rest goes on
   * as everywhere.
   */
  private void commitAtOnce(List<AcceptedCall> calls) throws SQLException {
    PostgresCommitDialect atOnce = dialect.commits();
    if (atOnce == null || calls.isEmpty()) {
      return;
    }
    List<UUID> ids = calls.stream().map(AcceptedCall::id).toList();
    CommittedAtOnce committed = CommittedAtOnce.of(atOnce.commit(ids), connection, server, rows);
    committed
        .found()
        .forEach(
            (id, row) -> {
              before.put(id, new Before(row.number(), HalfState.PREPARED));
              held.put(id, new Held(row.number(), HalfState.PREPARED, 0, null, row.age()));
            });
    sent.addAll(committed.found().keySet());
    sending.add(committed.written(null));
  }
}
