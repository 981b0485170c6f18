package io.angarium.testkit.tck;

import static io.angarium.half.Verdict.COMMITTED;
import static io.angarium.half.Verdict.IN_FLIGHT;
import static io.angarium.half.Verdict.ROLLED_BACK;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import io.angarium.half.HalfKey;
import io.angarium.half.Marker;
import io.angarium.half.Verdict;
import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.MarkerTakenException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The contract of {@link LocalTransactions}. A test class implements it and gives a fixture, a new
 * one for each test.
 *
 * @param <C> what gives access to a transaction
 */
@SuppressWarnings("doclint:missing") // the tests are named as sentences
@Tag("contract")
public interface LocalTransactionsTck<C> {
  /** The fixture of this test; the same at every call on one test instance. */
  LocalTransactionsFixture<C> fixture();

  /** Closes the fixture. */
  @AfterEach
  default void closeLocalTransactions() {
    fixture().close();
  }

  private static Marker marker(String key) {
    return new Marker("order", key);
  }

  private String write(Marker marker, String line) {
    return fixture()
        .local()
        .run(
            marker,
            transaction -> {
              fixture().write(transaction, line);
              return "result of " + line;
            });
  }

  @Test
  default void committedWorkIsReportedToWhoeverAsks() {
    String result = write(marker("1"), "a");

    assertThat(result).isEqualTo("result of a");
    assertThat(fixture().written()).containsExactly("a");
    assertThat(fixture().local().check(marker("1"))).isEqualTo(COMMITTED);
    assertThat(fixture().another().check(marker("1"))).isEqualTo(COMMITTED);
  }

  @Test
  default void failedWorkLeavesNothingAndIsReportedAsRolledBack() {
    assertThatThrownBy(
            () ->
                fixture()
                    .local()
                    .run(
                        marker("1"),
                        transaction -> {
                          fixture().write(transaction, "a");
                          throw new IOException("planned");
                        }))
        .isInstanceOf(IOException.class)
        .hasMessage("planned");

    assertThat(fixture().written()).isEmpty();
    assertThat(fixture().another().check(marker("1"))).isEqualTo(ROLLED_BACK);
  }

  @Test
  default void whatWasNeverBegunIsRolledBackForGood() {
    assertThat(fixture().another().check(marker("1"))).isEqualTo(ROLLED_BACK);

    assertThatThrownBy(() -> write(marker("1"), "late"))
        .asInstanceOf(type(MarkerTakenException.class))
        .satisfies(e -> assertThat(e.verdict()).isEqualTo(ROLLED_BACK))
        .satisfies(e -> assertThat(e).hasMessageContaining("order/1"));
    assertThat(fixture().written()).isEmpty();
    assertThat(fixture().local().check(marker("1"))).isEqualTo(ROLLED_BACK);
  }

  @Test
  default void checkBackAnswersForSeveralInTheirOrder() throws Exception {
    write(marker("1"), "a");
    write(marker("3"), "b");
    List<HalfKey> keys = Stream.of("3", "2", "1").map(key -> new HalfKey("order", key)).toList();

    assertThat(fixture().another().checkBack().checkAll(keys))
        .containsExactly(COMMITTED, ROLLED_BACK, COMMITTED);

    assertThatThrownBy(() -> write(marker("2"), "late")).isInstanceOf(MarkerTakenException.class);
  }

  @Test
  default void openTransactionIsInFlightAndStillCommits() {
    List<Verdict> verdicts = new ArrayList<>();

    fixture()
        .local()
        .run(
            marker("1"),
            transaction -> {
              fixture().write(transaction, "a");
              verdicts.add(fixture().another().check(marker("1")));
              verdicts.add(fixture().another().check(marker("1")));
              return true;
            });

    assertThat(verdicts).containsExactly(IN_FLIGHT, IN_FLIGHT);
    assertThat(fixture().written()).containsExactly("a");
    assertThat(fixture().another().check(marker("1"))).isEqualTo(COMMITTED);
  }

  @Test
  default void openTransactionIsInFlightUntilItRollsBack() {
    List<Verdict> verdicts = new ArrayList<>();

    assertThatThrownBy(
            () ->
                fixture()
                    .local()
                    .run(
                        marker("1"),
                        transaction -> {
                          verdicts.add(fixture().another().check(marker("1")));
                          throw new IOException("planned");
                        }))
        .isInstanceOf(IOException.class);

    assertThat(verdicts).containsExactly(IN_FLIGHT);
    assertThat(fixture().another().check(marker("1"))).isEqualTo(ROLLED_BACK);
  }

  @Test
  default void markersOfOtherTransactionsAreNotWaitedFor() {
    fixture()
        .local()
        .run(
            marker("open"),
            transaction -> {
              fixture().write(transaction, "open");
              assertThat(write(marker("2"), "b")).isEqualTo("result of b");
              assertThat(fixture().another().check(marker("2"))).isEqualTo(COMMITTED);
              assertThat(fixture().another().check(new Marker("invoice", "open")))
                  .isEqualTo(ROLLED_BACK);
              return true;
            });

    assertThat(fixture().written()).containsExactlyInAnyOrder("open", "b");
  }

  @Test
  default void markersAreComparedCharacterByCharacter() {
    write(marker("Key"), "a");

    assertThat(fixture().local().check(marker("key"))).isEqualTo(ROLLED_BACK);
    assertThat(fixture().local().check(marker("Key "))).isEqualTo(ROLLED_BACK);
    assertThat(fixture().local().check(new Marker("ORDER", "Key"))).isEqualTo(ROLLED_BACK);
    assertThat(fixture().local().check(marker("Kéy"))).isEqualTo(ROLLED_BACK);
    assertThat(fixture().local().check(marker("Key"))).isEqualTo(COMMITTED);
  }

  @Test
  default void markerOfACommittedTransactionCannotBeUsedAgain() {
    write(marker("1"), "a");

    assertThatThrownBy(() -> write(marker("1"), "again"))
        .asInstanceOf(type(MarkerTakenException.class))
        .satisfies(e -> assertThat(e.verdict()).isEqualTo(COMMITTED));
    assertThat(fixture().written()).containsExactly("a");
  }

  @Test
  default void longestMarkerIsKept() {
    Marker longest =
        new Marker("t".repeat(Marker.TYPE_LENGTH_MAX), "k".repeat(Marker.KEY_LENGTH_MAX));

    write(longest, "a");

    assertThat(fixture().another().check(longest)).isEqualTo(COMMITTED);
  }

  /** The verdict and the transaction never disagree, no matter which comes first. */
  @Test
  default void transactionAndQuestionAtOnceAgree() throws Exception {
    int rounds = 60;
    LocalTransactions<C> another = fixture().another();
    LocalTransactions<C> third = fixture().another();
    CyclicBarrier start = new CyclicBarrier(3);
    ExecutorService threads = Executors.newFixedThreadPool(3);
    try {
      for (int i = 0; i < rounds; i++) {
        Marker marker = marker("race-" + i);
        String line = "line " + i;
        Future<Boolean> committed = threads.submit(() -> commits(start, marker, line));
        List<Future<Verdict>> answers =
            List.of(
                threads.submit(() -> asked(start, another, marker)),
                threads.submit(() -> asked(start, third, marker)));

        Verdict told = committed.get(60, TimeUnit.SECONDS) ? COMMITTED : ROLLED_BACK;

        for (Future<Verdict> answer : answers) {
          assertThat(answer.get(60, TimeUnit.SECONDS)).isIn(told, IN_FLIGHT);
        }
        assertThat(another.check(marker)).isEqualTo(told);
        assertThat(fixture().written().contains(line)).isEqualTo(told == COMMITTED);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private Verdict asked(CyclicBarrier start, LocalTransactions<C> local, Marker marker)
      throws Exception {
    start.await(30, TimeUnit.SECONDS);
    return local.check(marker);
  }

  private boolean commits(CyclicBarrier start, Marker marker, String line) throws Exception {
    start.await(30, TimeUnit.SECONDS);
    try {
      write(marker, line);
      return true;
    } catch (MarkerTakenException e) {
      return false;
    }
  }
}
