package io.angarium.jdbc;

import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.half.check.CheckStore;
import io.angarium.half.check.DueCheck;
import io.angarium.half.check.NotedCheck;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.MessageRows;
import io.angarium.jdbc.internal.half.AcceptedCall;
import io.angarium.jdbc.internal.half.CheckDialect;
import io.angarium.jdbc.internal.half.ContendedTransaction;
import io.angarium.jdbc.internal.half.HalfDialect;
import io.angarium.jdbc.internal.half.HalfTransaction;
import io.angarium.jdbc.internal.session.ChosenRows;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.session.SessionPool;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.Sql;
import io.angarium.store.WriteRefusedException;
import io.angarium.store.internal.Halving;
import io.angarium.store.internal.RefusedRows;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The list of half messages to ask for, in their database. Keeps one connection until it is closed.
 * Thread-safe: one caller at a time, the others wait.
 */
public final class JdbcCheckStore implements CheckStore, AutoCloseable {
  private static final Comparator<DueCheck> AS_STORED = Comparator.comparingLong(DueCheck::number);

  private final Dialect server;
  private final CheckDialect dialect;
  private final HalfDialect half;
  private final MessageRows rows;
  private final Session session;
  private final SessionPool.Kept kept;
  private final RefusedRows<Long> refusedEntries;
  private final RefusedRows<Long> refusedClaims;
  private final RefusedRows<Long> refusedAlerts;
  private final ChosenRows<Long> claims;

  JdbcCheckStore(OpenDatabase database) {
    this.server = database.dialect();
    this.dialect = new CheckDialect(server);
    this.half = new HalfDialect(server);
    this.rows = new MessageRows(server);
    this.kept = database.sessions().keep("the check-back", 1);
    this.session = database.session(SessionRole.WRITE_TOGETHER);
    this.refusedEntries = refused(database, "list for its check-back the half message with id");
    this.refusedClaims = refused(database, "claim the check-back of the half message with id");
    this.refusedAlerts = refused(database, "claim the alert of the half message with id");
    this.claims = new ChosenRows<>(refusedClaims);
  }

  private static RefusedRows<Long> refused(OpenDatabase database, String what) {
    return new RefusedRows<>(
        what, "Nobody is asked for it.", Duration.ofMinutes(5), database.time());
  }

  @Override
  public long last() {
    return session.call(
        "reading the last half message",
        connection -> dialect.last().query(connection, row -> row.getLong(1)).get(0));
  }

  private record PageRow(long number, boolean old, boolean prepared) {}

  @Override
  public Entered enter(long after, Duration age) {
    String what = "looking for half messages that stay prepared";
    List<PageRow> page =
        session.call(
            what,
            connection ->
                dialect
                    .page(after, age)
                    .query(
                        connection,
                        row ->
                            new PageRow(row.getLong(1), row.getInt(2) == 1, row.getInt(3) == 1)));
    long reached = after;
    Set<Long> prepared = new TreeSet<>();
    boolean old = true;
    for (int i = 0; old && i < page.size(); i++) {
      PageRow row = page.get(i);
      old = row.old();
      if (old) {
        reached = row.number();
        if (row.prepared()) {
          prepared.add(row.number());
        }
      }
    }
    enter(what, prepared);
    return new Entered(reached, old && page.size() == BATCH_MAX);
  }

  /** What is not tried now would be found by a sweep alone. */
  private void enter(String what, Collection<Long> ascending) {
    Halving<Long> outcome = enterSome(what, ascending);
    WriteRefusedException cause = outcome.cause();
    if (cause != null && !outcome.untried().stream().allMatch(refusedEntries::has)) {
      throw cause; // no single row is to blame
    }
    enterSome(what, refusedEntries.due(BATCH_MAX)); // their page is behind us
  }

  /** The insert is one statement, or passes over what is there: it needs no transaction. */
  private Halving<Long> enterSome(String what, Collection<Long> numbers) {
    return refusedEntries.write(
        numbers,
        number -> number,
        some ->
            session.call(
                what,
                connection -> {
                  dialect.enter(connection, some);
                  return some.size();
                }));
  }

  /** A row of the list, before it is known what it is about. */
  private record Due(long number, long version, int unknown, int unreachable) {}

  private record Asked(HalfKey key, HalfState state, @Nullable String address) {}

  @Override
  public Claimed claim(int limit, Duration claim) {
    List<Claimed> parts =
        claims.run(
            work -> session.transaction("claiming check-backs", work),
            (connection, choice) -> claim(connection, limit, claim, choice));
    return new Claimed(
        parts.stream().flatMap(part -> part.checks().stream()).toList(),
        parts.isEmpty() || parts.stream().anyMatch(Claimed::more)); // all were refused
  }

  private Claimed claim(
      Connection connection, int limit, Duration claim, ChosenRows.Choice<Long> choice)
      throws SQLException {
    List<Due> due =
        choice.of(
            dialect.due(limit + choice.besides()).query(connection, JdbcCheckStore::due),
            Due::number,
            limit);
    if (due.isEmpty()) {
      return new Claimed(List.of(), false);
    }
    List<Long> numbers = due.stream().map(Due::number).toList();
    Map<Long, Asked> asked = asked(connection, numbers);
    List<DueCheck> claimed = new ArrayList<>();
    Set<Long> over = new HashSet<>(numbers);
    for (Due row : due) {
      Asked message = asked.get(row.number());
      if (message != null && message.state().isOpen()) {
        over.remove(row.number());
        claimed.add(
            new DueCheck(
                row.number(),
                row.version() + 1,
                message.key(),
                message.address(),
                row.unknown(),
                row.unreachable()));
      }
    }
    if (!over.isEmpty()) {
      dialect.strike(over).update(connection);
    }
    if (!claimed.isEmpty()) {
      dialect.claim(claimed.stream().map(DueCheck::number).toList(), claim).update(connection);
    }
    return new Claimed(claimed, due.size() == limit);
  }

  private static Due due(ResultSet row) throws SQLException {
    return new Due(row.getLong(1), row.getLong(2), row.getInt(3), row.getInt(4));
  }

  private Map<Long, Asked> asked(Connection connection, List<Long> numbers) throws SQLException {
    Map<Long, Asked> asked = new HashMap<>();
    dialect
        .messages(numbers)
        .forEach(
            connection,
            row ->
                asked.put(
                    row.getLong(1),
                    new Asked(
                        new HalfKey(row.getString(2), row.getString(3)),
                        HalfDialect.state(row.getString(4)),
                        row.getString(5))));
    return asked;
  }

  @Override
  public void putOff(Collection<DueCheck> checks, Duration pause) {
    update(
        "putting check-backs off",
        checks.stream().sorted(AS_STORED).map(check -> dialect.putOff(check, pause)).toList());
  }

  @Override
  public void note(Collection<NotedCheck> checks) {
    update(
        "noting check-backs",
        checks.stream()
            .sorted(Comparator.comparing(NotedCheck::check, AS_STORED))
            .map(dialect::note)
            .toList());
  }

  private void update(String what, List<Sql> updates) {
    if (!updates.isEmpty()) {
      session.transaction(what, connection -> Sql.batch(connection, updates));
    }
  }

  @Override
  public void strike(Collection<DueCheck> checks) {
    if (!checks.isEmpty()) {
      List<Long> numbers = checks.stream().map(DueCheck::number).sorted().toList();
      session.call(
          "striking check-backs off", connection -> dialect.strike(numbers).update(connection));
    }
  }

  @Override
  public boolean giveUp(NotedCheck last) {
    HalfKey key = last.check().key();
    // who decides it holds the message first, and this the check
    return ContendedTransaction.run(
        session,
        server.sessions(),
        "giving up the half message " + key,
        connection -> giveUp(connection, key, last));
  }

  private boolean giveUp(Connection connection, HalfKey key, NotedCheck last) throws SQLException {
    if (dialect.giveUp(last).update(connection) == 0) {
      return false;
    }
    HalfState state =
        new HalfTransaction(connection, server, half, rows)
            .run(List.of(AcceptedCall.of(key, HalfStep.GIVE_UP)))
            .get(0)
            .state();
    long number = last.check().number();
    if (state != HalfState.UNRESOLVED) {
      dialect.strike(List.of(number)).update(connection);
      return false;
    }
    dialect.told(number).update(connection); // of an earlier time, before it was resumed
    dialect.alert(number).update(connection);
    return true;
  }

  /** A row of the alerts; without a check if its message waits for nobody any more. */
  private record Alert(long number, @Nullable DueCheck check) {}

  @Override
  public List<DueCheck> untold() {
    List<Alert> alerts =
        session.call(
            "looking for alerts that nobody told",
            connection -> dialect.untold().query(connection, JdbcCheckStore::alert));
    List<DueCheck> taken = new ArrayList<>();
    for (Alert alert : alerts) {
      refusedAlerts.write(List.of(alert), Alert::number, one -> take(alert).ifPresent(taken::add));
    }
    return taken;
  }

  /** A statement of its own: what is told twice does no harm. */
  private Optional<DueCheck> take(Alert alert) {
    DueCheck check = alert.check();
    Sql claim =
        check == null ? dialect.dropAlert(alert.number()) : dialect.takeAlert(alert.number());
    int rows = session.call("claiming alerts that nobody told", claim::update);
    return rows == 1 ? Optional.ofNullable(check) : Optional.empty();
  }

  private static Alert alert(ResultSet row) throws SQLException {
    long number = row.getLong(1);
    boolean waits =
        row.getString(7) != null
            && row.getString(5) != null
            && HalfDialect.state(row.getString(5)) == HalfState.UNRESOLVED;
    return new Alert(
        number,
        waits
            ? new DueCheck(
                number,
                row.getLong(2),
                new HalfKey(row.getString(3), row.getString(4)),
                row.getString(6),
                row.getInt(7),
                0)
            : null);
  }

  @Override
  public void told(DueCheck givenUp) {
    session.call(
        "noting that the half message " + givenUp.key() + " was told of",
        connection -> dialect.told(givenUp.number()).update(connection));
  }

  @Override
  public Optional<String> fault() {
    return refusedClaims.fault().or(refusedEntries::fault).or(refusedAlerts::fault);
  }

  /** Gives the connection back; calls after it fail. May be called twice. */
  @Override
  public void close() {
    session.close();
    kept.close();
  }
}
