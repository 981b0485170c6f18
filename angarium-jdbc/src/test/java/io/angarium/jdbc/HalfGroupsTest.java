package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.WhenUnknown;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.internal.dialect.Dialect;
import io.angarium.jdbc.internal.dialect.h2.H2Dialect;
import io.angarium.jdbc.internal.half.AcceptedCall;
import io.angarium.jdbc.internal.half.CallsAtOnce;
import io.angarium.jdbc.internal.half.HalfGroups;
import io.angarium.jdbc.internal.session.OpenDatabase;
import io.angarium.jdbc.internal.session.Session;
import io.angarium.jdbc.internal.session.Source;
import io.angarium.jdbc.internal.sql.SessionRole;
import io.angarium.jdbc.internal.sql.TableNames;
import io.angarium.jdbc.settings.JdbcConfig;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What callers of one transaction are told when it fails. */
final class HalfGroupsTest {
  private static final String LOCK_TIMEOUT = "55P03";

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> transactions = new CopyOnWriteArrayList<>();
  private final CountDownLatch first = new CountDownLatch(1);
  private final CountDownLatch end = new CountDownLatch(1);
  private String slow = "";
  private String refused = "";
  private String sqlState = "23514";
  private boolean losesCommit;
  private final List<String> statements = new CopyOnWriteArrayList<>();
  private String answeredAtOnce = "";
  private @Nullable String failsAtOnce;
  private boolean workInterrupted;

  private final Dialect dialect = new H2Dialect(new TableNames(JdbcConfig.DEFAULTS));

  private final HalfGroups groups =
      new HalfGroups(
          List.of(
              new OpenDatabase(
                      new ConnectionSource(
                          () -> {
                            throw new SQLException("not used");
                          }),
                      dialect,
                      JdbcConfig.DEFAULTS,
                      TimeSource.SYSTEM,
                      new Source(dialect, TimeSource.SYSTEM))
                  .session(SessionRole.WRITE_TOGETHER)),
          new Work(),
          e -> LOCK_TIMEOUT.equals(e.getSQLState()),
          true);

  @AfterEach
  void close() {
    first.countDown();
    end.countDown();
    threads.shutdownNow();
  }

  private final class Work implements HalfGroups.Work {
    @Override
    public List<@Nullable HalfAnswer> atOnce(Session session, List<AcceptedCall> calls) {
      return HalfGroupsTest.this.atOnce(calls);
    }

    @Override
    public List<HalfAnswer> together(
        Session session, List<AcceptedCall> calls, Runnable beforeCommit) {
      return HalfGroupsTest.this.together(calls, beforeCommit);
    }
  }

  private List<@Nullable HalfAnswer> atOnce(List<AcceptedCall> calls) {
    String keys = String.join("", calls.stream().map(call -> call.key().key()).toList());
    if (keys.equals("-")) {
      return Collections.singletonList(null);
    }
    statements.add(keys);
    workInterrupted |= Thread.currentThread().isInterrupted();
    if (failsAtOnce != null) {
      throw failure("failed at once: " + keys, failsAtOnce);
    }
    return calls.stream().map(this::atOnce).toList();
  }

  private @Nullable HalfAnswer atOnce(AcceptedCall call) {
    return answeredAtOnce.contains(call.key().key()) ? answer(call) : null;
  }

  private static HalfAnswer answer(AcceptedCall call) {
    return new HalfAnswer(call.key(), HalfState.COMMITTED, null);
  }

  private List<HalfAnswer> together(List<AcceptedCall> calls, Runnable beforeCommit) {
    String keys = String.join("", calls.stream().map(call -> call.key().key()).toList());
    transactions.add(keys);
    if (keys.equals("-")) {
      await(first);
    } else if (keys.equals(slow)) {
      await(end);
    } else if (losesCommit) {
      beforeCommit.run();
      throw failure("lost the answer of " + keys, "08006");
    }
    for (AcceptedCall call : calls) {
      if (refused.contains(call.key().key())) {
        throw failure("refused " + keys, sqlState);
      }
    }
    beforeCommit.run();
    return calls.stream().map(HalfGroupsTest::answer).toList();
  }

  private static StoreException failure(String message, String sqlState) {
    return new StoreException(message, new SQLException(message, sqlState));
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(60, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static void awaitThat(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }

  /** What callers of these keys are told, who come while a transaction is under way. */
  private List<String> told(String keys) throws Exception {
    List<Future<HalfState>> states = new ArrayList<>();
    states.add(threads.submit(() -> commit("-")));
    awaitThat(() -> transactions.contains("-"));
    for (int i = 0; i < keys.length(); i++) {
      String key = keys.substring(i, i + 1);
      int before = groups.waiting();
      states.add(
          threads.submit(() -> Character.isUpperCase(key.charAt(0)) ? rollback(key) : commit(key)));
      awaitThat(() -> groups.waiting() == before + 1);
    }
    first.countDown();
    List<String> told = new ArrayList<>();
    for (Future<HalfState> state : states.subList(1, states.size())) {
      try {
        told.add(state.get(60, TimeUnit.SECONDS).name());
      } catch (ExecutionException e) {
        assertThat(e.getCause()).isInstanceOf(StoreException.class);
        told.add("" + Objects.requireNonNull(e.getCause()).getMessage());
      }
    }
    return told;
  }

  private HalfState commit(String key) {
    HalfCall call = new HalfCall.Commit(new HalfKey("order", key), WhenUnknown.REFUSE);
    return run(call);
  }

  private HalfState rollback(String key) {
    return run(new HalfCall.Rollback(new HalfKey("order", key), WhenUnknown.REFUSE));
  }

  private HalfState run(HalfCall call) {
    AcceptedCall accepted = AcceptedCall.of(call, MessageIntake.of(null), Handover.NONE);
    return groups.run(List.of(accepted)).get(0).state();
  }

  @Test
  void onlyWhatOneStatementLeavesAloneNeedsATransaction() throws Exception {
    answeredAtOnce = "acd";

    assertThat(told("abcde")).containsOnly("COMMITTED").hasSize(5);
    assertThat(statements).containsExactly("abcde");
    assertThat(transactions).containsExactly("-", "be");
  }

  @Test
  void whatTookEffectAtOnceIsNotRepeatedWhenTheRestFails() throws Exception {
    answeredAtOnce = "acd";
    refused = "b";

    assertThat(told("abcde"))
        .containsExactly("COMMITTED", "refused b", "COMMITTED", "COMMITTED", "COMMITTED");
    assertThat(transactions).containsExactly("-", "be", "b", "e");
  }

  @Test
  void whatTookEffectAtOnceDoesNotWaitForTheRest() throws Exception {
    answeredAtOnce = "b";
    slow = "ac";
    Future<HalfState> alone = threads.submit(() -> commit("-"));
    awaitThat(() -> transactions.contains("-"));
    List<Future<HalfState>> states = new ArrayList<>();
    for (String key : List.of("a", "b", "c")) {
      int before = groups.waiting();
      states.add(threads.submit(() -> commit(key)));
      awaitThat(() -> groups.waiting() == before + 1);
    }
    first.countDown();

    assertThat(states.get(1).get(60, TimeUnit.SECONDS)).isEqualTo(HalfState.COMMITTED);
    assertThat(states.get(0).isDone() || states.get(2).isDone()).isFalse();

    end.countDown();
    for (Future<HalfState> state : states) {
      assertThat(state.get(60, TimeUnit.SECONDS)).isEqualTo(HalfState.COMMITTED);
    }
    assertThat(alone.get(60, TimeUnit.SECONDS)).isEqualTo(HalfState.COMMITTED);
  }

  @Test
  void callerOfWhomSomeTookEffectIsNotToldThatNothingDid() throws Exception {
    answeredAtOnce = "d";
    refused = "abce";
    sqlState = "53300";
    Future<HalfState> alone = threads.submit(() -> commit("-"));
    awaitThat(() -> transactions.contains("-"));
    List<Future<?>> states = new ArrayList<>();
    for (String keys : List.of("a", "b", "c", "de")) {
      int before = groups.waiting();
      states.add(threads.submit(() -> groups.run(keys.chars().mapToObj(this::accepted).toList())));
      awaitThat(() -> groups.waiting() == before + 1);
    }
    first.countDown();

    assertThatThrownBy(() -> states.get(2).get(60, TimeUnit.SECONDS))
        .hasMessageContaining("nothing took effect");
    assertThatThrownBy(() -> states.get(3).get(60, TimeUnit.SECONDS))
        .hasMessageContaining("Some took effect, and the others were not tried");
    assertThat(transactions).as("a pool that has none is not waited for by each").hasSize(3);
    assertThat(alone.get(60, TimeUnit.SECONDS)).isEqualTo(HalfState.COMMITTED);
  }

  private AcceptedCall accepted(int key) {
    HalfKey half = new HalfKey("order", Character.toString(key));
    HalfCall call = new HalfCall.Commit(half, WhenUnknown.REFUSE);
    return AcceptedCall.of(call, MessageIntake.of(null), Handover.NONE);
  }

  @ParameterizedTest
  @CsvSource({
    "23514, true", "22021, true", "40P01, true", "42501, true", "57014, true", "AB123, true",
    "38000, true", "0A000, true", "53100, true", "53200, false", "53300, false", "08006, false",
    "57P01, false", "40003, false", "55P03, false", "58030, false", "XX000, false",
  })
  void refusalForSureIsToldFromDoubt(String sqlState, boolean tookNoEffect) {
    assertThat(CallsAtOnce.tookNoEffect(failure("refused", sqlState))).isEqualTo(tookNoEffect);
  }

  @Test
  void failureWithoutAStateIsDoubtful() {
    assertThat(CallsAtOnce.tookNoEffect(new StoreException("x", new SQLException("x")))).isFalse();
    assertThat(CallsAtOnce.tookNoEffect(new StoreException("x", null))).isFalse();
  }

  /** A second time the same calls could do something else. */
  @Test
  void statementWithoutAnAnswerIsNotRepeated() throws Exception {
    failsAtOnce = "08006";

    assertThat(told("abc")).containsOnly("failed at once: abc").hasSize(3);
    assertThat(transactions).containsExactly("-");
  }

  @Test
  void statementThatWaitedInVainIsMadeCallByCall() throws Exception {
    failsAtOnce = LOCK_TIMEOUT;
    refused = "b";
    sqlState = LOCK_TIMEOUT;

    assertThat(told("abbc")).containsExactly("COMMITTED", "refused b", "refused b", "COMMITTED");
    assertThat(transactions).containsExactly("-", "a", "b", "c");
  }

  /** Capitals are rolled back, the others committed. */
  @Test
  void callsOfOneKindGoTogetherAndWhatIsLeftTakesTheRest() throws Exception {
    assertThat(told("abCdEf")).containsOnly("COMMITTED").hasSize(6);

    assertThat(transactions).containsExactly("-", "abdf", "CE");
  }

  @Test
  void transactionOfOtherCallsTakesWhateverWaits() throws Exception {
    assertThat(told("AbCd")).containsOnly("COMMITTED").hasSize(4);

    assertThat(transactions).containsExactly("-", "AbCd");
  }

  @Test
  void whatIsRefusedFailsAlone() throws Exception {
    refused = "bcd";

    assertThat(told("abcde"))
        .containsExactly("COMMITTED", "refused b", "refused c", "refused d", "COMMITTED");
  }

  /** A second time the same calls could do something else. */
  @Test
  void groupWhoseCommitHasNoAnswerIsNotRepeated() throws Exception {
    losesCommit = true;

    assertThat(told("abc")).containsOnly("lost the answer of abc").hasSize(3);
    assertThat(transactions).containsExactly("-", "abc");
  }

  @Test
  void databaseThatIsAwayIsNotTriedByEveryCaller() throws Exception {
    refused = "abcd";
    sqlState = "08001";

    List<String> told = told("abcd");

    assertThat(told.get(0)).isEqualTo("refused a");
    assertThat(told.subList(1, 4)).allMatch(text -> text.startsWith("Not tried"));
    assertThat(transactions).containsExactly("-", "abcd", "a");
  }

  @Test
  void keyThatIsHeldIsWaitedForByOneCallerOnly() throws Exception {
    refused = "a";
    sqlState = LOCK_TIMEOUT;

    assertThat(told("aaba")).containsExactly("refused a", "refused a", "COMMITTED", "refused a");
    assertThat(transactions).containsExactly("-", "aaba", "a", "b");
  }

  /** Some drivers and pools break a connection then, and with it the calls of others. */
  @Test
  void pendingInterruptOfWhoeverLeadsDoesNotReachTheConnection() {
    answeredAtOnce = "a";
    Thread.currentThread().interrupt();

    HalfState state = commit("a");

    assertThat(Thread.interrupted()).isTrue();
    assertThat(state).isEqualTo(HalfState.COMMITTED);
    assertThat(statements).containsExactly("a");
    assertThat(workInterrupted).isFalse();
  }

  @Test
  void callerThatComesAloneIsToldTheFailure() {
    refused = "a";

    assertThatThrownBy(() -> commit("a"))
        .isInstanceOf(StoreException.class)
        .hasMessage("refused a")
        .hasRootCauseMessage("refused a");
  }
}
