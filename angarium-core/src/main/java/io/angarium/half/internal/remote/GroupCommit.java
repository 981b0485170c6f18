package io.angarium.half.internal.remote;

import io.angarium.OutboxException;
import io.angarium.StoreException;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfStep;
import io.angarium.half.internal.remote.HalfReply.Answers;
import io.angarium.half.internal.remote.HalfReply.Failure;
import io.angarium.half.internal.remote.HalfReply.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls that are made at the same time share requests, by {@link GroupTurns}: prepares go with
 * prepares and commits with commits, as a server can make those at once. Thread-safe.
 *
 * @param <C> a call as it is sent
 */
public final class GroupCommit<C extends GroupCommit.Call> {
  /** A call as it is sent. */
  public interface Call {
    /** Which half message. */
    HalfKey key();

    /** What it does. */
    HalfStep step();

    /** What it takes in a request. */
    long bytes();
  }

  /** What one request does. Blocks until it has a reply; throws nothing. */
  @FunctionalInterface
  public interface Request<C> extends Function<List<C>, HalfReply<HalfAnswer>> {}

  /**
   * How much goes at a time. Immutable.
   *
   * @param requests requests under way, at least 1
   * @param calls calls in a request, at least 1
   * @param bytes of a request; a call that is larger goes alone
   */
  public record Limits(int requests, int calls, long bytes) {}

  private static final class Waiting<C extends Call> extends GroupTurns.Member<C, Integer> {
    @Nullable List<HalfAnswer> answers;
    @Nullable Failure<HalfAnswer> failure;

    Waiting(List<C> calls) {
      super(calls, Call::step, Call::bytes);
    }

    List<HalfAnswer> answers() {
      if (answers == null) {
        OutboxException thrown =
            failure == null
                ? new StoreException("The caller that led gave up; repeat the call", null)
                : failure.exception();
        throw thrown;
      }
      return answers;
    }
  }

  private final Request<C> request;
  private final Limits limits;
  private final GroupTurns<Integer, Waiting<C>> turns;

  /**
   * Creates one, which has no calls.
   *
   * @param request makes one
   */
  public GroupCommit(Request<C> request, Limits limits) {
    this.request = request;
    this.limits = limits;
    this.turns =
        new GroupTurns<>(
            IntStream.range(0, limits.requests()).boxed().toList(),
            limits.calls(),
            limits.bytes(),
            (own, next) -> own.kind() == next.kind());
  }

  /**
   * Makes calls together with the calls of other callers, and waits for the answers, not
   * interruptibly. Calls that are too many for one request go in several requests, one after the
   * other.
   *
   * @return an answer for each, in their order
   * @throws OutboxException of {@link Failure#exception} if there are no answers; a {@link
   *     StoreException} that says so if calls of earlier requests took effect
   */
  public List<HalfAnswer> run(List<C> calls) {
    List<HalfAnswer> answers = new ArrayList<>(calls.size());
    int start = 0;
    long bytes = 0;
    for (int i = 0; i < calls.size(); i++) {
      long length = calls.get(i).bytes();
      boolean full = i - start >= limits.calls() || bytes + length > limits.bytes();
      if (i > start && full) {
        answers.addAll(inOne(calls.subList(start, i), start));
        start = i;
        bytes = 0;
      }
      bytes += length;
    }
    if (start < calls.size()) {
      answers.addAll(inOne(calls.subList(start, calls.size()), start));
    }
    return answers;
  }

  private List<HalfAnswer> inOne(List<C> calls, int before) {
    Waiting<C> own = new Waiting<>(calls);
    turns.run(own, (request, group) -> settle(group));
    try {
      return own.answers();
    } catch (OutboxException e) {
      throw before == 0 ? e : CallerRefusal.after(before, e);
    }
  }

  /** What is at fault fails its own callers; the others go on without them. */
  private void settle(List<Waiting<C>> group) {
    List<Waiting<C>> open = group;
    while (!open.isEmpty()) {
      HalfReply<HalfAnswer> reply = together(open);
      if (!(reply instanceof Failure<HalfAnswer> failure)) {
        return;
      }
      boolean unnamed = failure.kind() == Kind.INVALID && failure.calls().isEmpty();
      if ((failure.kind() == Kind.FAILED_TOGETHER || unnamed) && open.size() > 1) {
        settleEach(open);
        return;
      }
      if (failure.kind() == Kind.TOO_LARGE_TOGETHER && open.size() > 1) {
        settle(open.subList(0, open.size() / 2));
        settle(open.subList(open.size() / 2, open.size()));
        return;
      }
      List<Waiting<C>> atFault = atFault(open, failure.calls());
      atFault.forEach(member -> member.failure = failure);
      open = open.stream().filter(member -> !atFault.contains(member)).toList();
    }
  }

  /** The members to which the calls of these numbers belong; all of them if there are none. */
  private List<Waiting<C>> atFault(List<Waiting<C>> group, Collection<Integer> calls) {
    List<Waiting<C>> atFault = new ArrayList<>();
    int next = 0;
    for (Waiting<C> member : group) {
      int first = next;
      next += member.calls().size();
      int end = next;
      if (calls.stream().anyMatch(call -> call >= first && call < end)) {
        atFault.add(member);
      }
    }
    return atFault.isEmpty() ? group : atFault;
  }

  private HalfReply<HalfAnswer> together(List<Waiting<C>> group) {
    List<C> calls = new ArrayList<>();
    group.forEach(member -> calls.addAll(member.calls()));
    HalfReply<HalfAnswer> reply = request.apply(calls);
    if (reply instanceof Answers<HalfAnswer> answers) {
      int next = 0;
      for (Waiting<C> member : group) {
        member.answers = List.copyOf(answers.all().subList(next, next + member.calls().size()));
        next += member.calls().size();
      }
    }
    return reply;
  }

  /**
   * Sends the calls of each caller separately, because another transaction may hold one key, for
   * example. Calls of other keys must not fail with it.
   */
  private void settleEach(List<Waiting<C>> group) {
    Map<HalfKey, Failure<HalfAnswer>> held = new HashMap<>();
    @Nullable Failure<HalfAnswer> over = null;
    for (Waiting<C> member : group) {
      member.failure = over == null ? firstOf(held, member) : over;
      if (member.failure == null
          && together(List.of(member)) instanceof Failure<HalfAnswer> failure) {
        member.failure = failure;
        if (failure.kind() == Kind.FAILED) {
          over = failure; // the others would wait as long, and as much in vain
        } else if (failure.kind() == Kind.FAILED_TOGETHER && member.calls().size() == 1) {
          held.put(member.calls().get(0).key(), failure);
        }
      }
      member.wake();
    }
  }

  private @Nullable Failure<HalfAnswer> firstOf(
      Map<HalfKey, Failure<HalfAnswer>> held, Waiting<C> member) {
    return member.calls().stream()
        .map(call -> held.get(call.key()))
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /** How many callers wait for their turn. */
  public int waiting() {
    return turns.waiting();
  }
}
