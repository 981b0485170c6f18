package io.angarium.half.check;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessages;
import io.angarium.half.Refusal;
import io.angarium.half.Verdict;
import io.angarium.half.WhenUnknown;
import io.angarium.store.internal.RefusedRows;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gathers what producers answered and writes it: decisions together, the next question of what
 * stays open, and what a person must decide. What cannot be written comes again when its claim is
 * over. One thread.
 */
final class CheckOutcomes {
  private static final Logger LOG = LoggerFactory.getLogger(CheckOutcomes.class);

  /** After so many failures in a row the database is taken to be away. */
  private static final int FAILURES_MAX = 4;

  private final HalfMessages half;
  private final CheckStore store;
  private final GiveUpAlerts alerts;
  private final CheckPauses pauses;
  private final int unknownMax;
  private final RefusedRows<HalfKey> refused;
  private final List<Decided> decided = new ArrayList<>();
  private final List<NotedCheck> open = new ArrayList<>();
  private final List<NotedCheck> exhausted = new ArrayList<>();
  private int turns;

  private record Decided(DueCheck check, Verdict verdict) {
    HalfCall call() {
      return verdict == Verdict.COMMITTED
          ? new HalfCall.Commit(check.key(), WhenUnknown.REFUSE)
          : new HalfCall.Rollback(check.key(), WhenUnknown.REFUSE);
    }
  }

  CheckOutcomes(
      HalfMessages half,
      CheckStore store,
      GiveUpAlerts alerts,
      CheckPauses pauses,
      int unknownMax,
      RefusedRows<HalfKey> refused) {
    this.half = half;
    this.store = store;
    this.alerts = alerts;
    this.pauses = pauses;
    this.unknownMax = unknownMax;
    this.refused = refused;
  }

  /** Takes an answer in. */
  void add(DueCheck check, CheckAnswer answer) {
    switch (answer.verdict()) {
      case COMMITTED, ROLLED_BACK -> decided.add(new Decided(check, answer.verdict()));
      case IN_FLIGHT ->
          open.add(new NotedCheck(check, answer, check.unknown(), 0, pauses.inFlight(check)));
      case UNKNOWN -> addUnknown(check, answer, check.unknown() + 1);
      case UNREACHABLE -> {
        int times = check.unreachable() + 1;
        open.add(
            new NotedCheck(
                check, answer, check.unknown(), times, pauses.unreachable(check, times)));
      }
    }
  }

  private void addUnknown(DueCheck check, CheckAnswer answer, int unknown) {
    NotedCheck noted = new NotedCheck(check, answer, unknown, 0, pauses.unknown(check, unknown));
    if (unknown >= unknownMax) {
      exhausted.add(noted);
    } else {
      open.add(noted);
    }
  }

  /**
   * Writes all that was gathered.
   *
   * @throws io.angarium.StoreException if something could not be written; everything else was tried
   */
  void write() {
    Failures failures = new Failures();
    write(decided, one -> one.check().key(), this::decide, failures);
    write(open, noted -> noted.check().key(), store::note, failures);
    List<NotedCheck> last = List.copyOf(exhausted);
    exhausted.clear();
    Consumer<List<NotedCheck>> givingUp = each -> each.forEach(this::giveUp);
    last.forEach(
        noted ->
            failures.attempt(
                () -> refused.write(List.of(noted), one -> one.check().key(), givingUp)));
    failures.throwIfAny();
  }

  /**
   * Together; if that fails, one by one. What the database refuses for good is no reason to take it
   * for away.
   */
  private <T> void write(
      List<T> gathered, Function<T, HalfKey> key, Consumer<List<T>> write, Failures failures) {
    Consumer<List<T>> writing = some -> refused.write(some, key, write);
    List<T> all = List.copyOf(gathered);
    gathered.clear();
    for (int from = 0; from < all.size(); from += CheckStore.BATCH_MAX) {
      List<T> some = all.subList(from, Math.min(from + CheckStore.BATCH_MAX, all.size()));
      if (!failures.attempt(() -> writing.accept(some)) && some.size() > 1) {
        eachOf(some, writing, failures);
      }
    }
  }

  /** Begun elsewhere each time, so that those which are refused do not always stand in front. */
  private <T> void eachOf(List<T> some, Consumer<List<T>> writing, Failures failures) {
    List<T> turned = new ArrayList<>(some);
    Collections.rotate(turned, turns);
    turns += FAILURES_MAX;
    turned.forEach(one -> failures.attempt(() -> writing.accept(List.of(one))));
  }

  private void decide(List<Decided> some) {
    List<HalfAnswer> answers = half.callAll(some.stream().map(Decided::call).toList());
    for (int i = 0; i < some.size(); i++) {
      tellIfRefused(some.get(i), answers.get(i));
    }
    store.strike(some.stream().map(Decided::check).toList());
  }

  private static void tellIfRefused(Decided one, HalfAnswer answer) {
    if (answer.refusal() == Refusal.UNKNOWN) {
      LOG.debug("Half message {} was decided and forgotten meanwhile", one.check().key());
    } else if (answer.refusal() != null) {
      LOG.warn(
          "Half message {} is {} although its producer answers {}: it was decided otherwise before"
              + " that, by a person or a call; compare the data of both sides",
          one.check().key(),
          answer.state(),
          one.verdict());
    }
  }

  private void giveUp(NotedCheck last) {
    if (store.giveUp(last)) {
      alerts.tell(last.check(), last.unknown(), last.answer().reason());
    }
  }

  /** The first failure of several writes, and whether the others are worth a try. */
  private static final class Failures {
    private @Nullable RuntimeException first;
    private int inARow;

    boolean attempt(Runnable write) {
      if (inARow >= FAILURES_MAX) {
        return false;
      }
      try {
        write.run();
        inARow = 0;
        return true;
      } catch (RuntimeException e) {
        inARow++;
        first = first == null ? e : first;
        return false;
      }
    }

    void throwIfAny() {
      if (first != null) {
        throw first;
      }
    }
  }
}
