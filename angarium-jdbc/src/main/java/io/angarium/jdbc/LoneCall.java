package io.angarium.jdbc;

import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.store.Written;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A call that comes alone, as one statement that commits by itself: a commit of its own would
 * double the round trips. On PostgreSQL, the first prepare and the commit of what is plain. One
 * thread.
 */
final class LoneCall {
  private final AcceptedCall call;
  private final Dialect server;
  private final HalfInsertDialect inserts;
  private final PostgresCommitDialect commits;
  private final MessageRows rows;

  LoneCall(
      AcceptedCall call,
      Dialect server,
      HalfInsertDialect inserts,
      PostgresCommitDialect commits,
      MessageRows rows) {
    this.call = call;
    this.server = server;
    this.inserts = inserts;
    this.commits = commits;
    this.rows = rows;
  }

  /** What a call did, and what is told of it. */
  record Done(HalfAnswer answer, Written written, Consumer<HalfListener> news) {}

  /**
   * Makes the call.
   *
   * @return empty if that took no effect: it needs a transaction
   */
  Optional<Done> run(Connection connection) throws SQLException {
    if (call.step() == HalfStep.PREPARE) {
      List<HalfRow> row = List.of(Objects.requireNonNull(call.row()));
      return inserts.add(connection, row).isEmpty()
          ? Optional.empty()
          : done(HalfState.UNKNOWN, Written.NOTHING, Duration.ZERO);
    }
    return call.commits() ? commit(connection) : Optional.empty();
  }

  private Optional<Done> commit(Connection connection) throws SQLException {
    Sql commit = commits.commit(List.of(call.id()));
    CommittedAtOnce committed = CommittedAtOnce.of(commit, connection, server, rows);
    CommittedAtOnce.Found found = committed.found().get(call.id());
    return found == null
        ? Optional.empty()
        : done(HalfState.PREPARED, committed.written(), found.age());
  }

  private Optional<Done> done(HalfState before, Written written, Duration age) {
    HalfAnswer answer = HalfAnswer.of(call.key(), before.after(call.step()));
    return Optional.of(
        new Done(
            answer,
            written,
            listener -> listener.changed(call.key(), before, answer.state(), age)));
  }
}
