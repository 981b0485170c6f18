package io.angarium.jdbc.internal.half;

import io.angarium.StoreException;
import io.angarium.half.CallKind;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfState;
import io.angarium.intake.CommittedMessages;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.sql.Sql;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Calls of one kind as one statement that commits by itself, without the round trips of a
 * transaction: on PostgreSQL, prepares of what is new, and commits of what is plain. One thread.
 */
public final class CallsAtOnce {
  /**
   * Connections, shutdowns, memory of the driver or too many connections, the disk, faults of the
   * server itself, and what says so: the statement may have taken effect. And a row that was waited
   * for in vain, as the next wait would be as long.
   */
  private static final Pattern DOUBTFUL = Pattern.compile("(08|57P|53[23]|58|XX|40003|55P03).*");

  private final CallKind kind;
  private final List<AcceptedCall> calls;
  private final Dialect server;
  private final HalfInsertDialect inserts;
  private final PostgresCommitDialect commits;
  private final MessageRows rows;
  private final Map<UUID, Integer> firstOfKey = new LinkedHashMap<>();
  private final @Nullable HalfAnswer[] answers;
  private final List<Consumer<HalfListener>> news = new ArrayList<>();
  private @Nullable CommittedAtOnce committed;

  public CallsAtOnce(
      CallKind kind,
      List<AcceptedCall> calls,
      Dialect server,
      HalfInsertDialect inserts,
      PostgresCommitDialect commits,
      MessageRows rows) {
    this.kind = kind;
    this.calls = calls;
    this.server = server;
    this.inserts = inserts;
    this.commits = commits;
    this.rows = rows;
    this.answers = new HalfAnswer[calls.size()];
    for (int i = 0; i < calls.size(); i++) {
      firstOfKey.putIfAbsent(calls.get(i).id(), i);
    }
  }

  /**
   * Makes those calls that can be made so; the others have taken no effect.
   *
   * @return how many
   */
  public int run(Connection connection) throws SQLException {
    switch (kind) {
      case PREPARES -> prepare(connection);
      case COMMITS -> commit(connection);
      case MIXED -> {}
    }
    return news.size();
  }

  private void prepare(Connection connection) throws SQLException {
    List<HalfRow> added =
        firstOfKey.values().stream()
            .map(calls::get)
            .sorted(AcceptedCall.AS_STORED)
            .map(call -> Objects.requireNonNull(call.row()))
            .toList();
    Set<UUID> fresh = inserts.add(connection, added);
    Map<UUID, Duration> ages = new HashMap<>();
    fresh.forEach(id -> ages.put(id, Duration.ZERO));
    answer(HalfState.UNKNOWN, ages);
  }

  private void commit(Connection connection) throws SQLException {
    Sql commit = commits.commit(List.copyOf(firstOfKey.keySet()));
    CommittedAtOnce found = CommittedAtOnce.of(commit, connection, server, rows);
    committed = found;
    Map<UUID, Duration> ages = new HashMap<>();
    found.found().forEach((id, row) -> ages.put(id, row.age()));
    answer(HalfState.PREPARED, ages);
  }

  private void answer(HalfState before, Map<UUID, Duration> ages) {
    firstOfKey.forEach(
        (id, number) -> {
          Duration age = ages.get(id);
          if (age != null) {
            answer(number, before, age);
          }
        });
  }

  private void answer(int number, HalfState before, Duration age) {
    AcceptedCall call = calls.get(number);
    HalfAnswer answer = HalfAnswer.of(call.key(), before.after(call.step()));
    answers[number] = answer;
    news.add(listener -> listener.changed(call.key(), before, answer.state(), age));
  }

  /** Whether the statement failed for sure, and can be made in another way. */
  public static boolean tookNoEffect(StoreException e) {
    return e.getCause() instanceof SQLException cause
        && cause.getSQLState() != null
        && !DOUBTFUL.matcher(cause.getSQLState()).matches();
  }

  /** An answer to each call, in their order; null to those that need a transaction. */
  public List<@Nullable HalfAnswer> answers() {
    return Arrays.asList(answers);
  }

  /** What goes to the relay. */
  public CommittedMessages written(@Nullable UUID source) {
    return committed == null ? CommittedMessages.NOTHING : committed.written(source);
  }

  /** Tells what was done. */
  public void tell(HalfListener listener) {
    news.forEach(event -> event.accept(listener));
  }
}
