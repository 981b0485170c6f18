package io.angarium.testkit.memory;

import io.angarium.Message;
import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Half messages in memory, for tests: what is committed is {@link #sent}. Forgets no key.
 * Thread-safe.
 */
public final class InMemoryHalfMessages implements HalfMessages {
  private final TimeSource time;
  private final HalfListener listener;
  private final MessageIntake intake = MessageIntake.of(null);
  private final Map<HalfKey, HalfState> states = new HashMap<>();
  private final Map<HalfKey, Prepared> prepared = new LinkedHashMap<>();
  private final Map<HalfKey, HalfMessage> open = new HashMap<>();
  private final List<Message> sent = new ArrayList<>();
  private boolean unreachable;

  /** When a message was prepared, and as which one. */
  record Prepared(
      long number, HalfKey key, Instant at, String destination, @Nullable URI checkBack) {}

  /**
   * Creates one that knows no key.
   *
   * @param time tells when a commit was, for messages with a delay
   */
  public InMemoryHalfMessages(TimeSource time) {
    this(time, HalfListener.NONE);
  }

  /**
   * Creates one that knows no key.
   *
   * @param time tells when a commit was, for messages with a delay
   * @param listener hears what becomes of them
   */
  public InMemoryHalfMessages(TimeSource time, HalfListener listener) {
    this.time = time;
    this.listener = listener;
  }

  @Override
  public synchronized List<HalfAnswer> callAll(List<HalfCall> calls) {
    requireReachable();
    for (HalfCall call : calls) {
      if (call instanceof HalfCall.Prepare prepare) {
        intake.accept(prepare.message().message(), Handover.NONE); // checks the limits
      }
    }
    return calls.stream().map(this::call).toList();
  }

  private HalfAnswer call(HalfCall call) {
    HalfState before = states.getOrDefault(call.key(), HalfState.UNKNOWN);
    if (call instanceof HalfCall.Prepare prepare) {
      prepared.putIfAbsent(call.key(), prepared(prepare.message()));
      if (!before.isFinal()) {
        open.putIfAbsent(call.key(), prepare.message());
      }
    }
    if (call instanceof HalfCall.Commit commit && !commit.delay().isZero()) {
      open.computeIfPresent(call.key(), (key, message) -> message.delay(commit.delay()));
    }
    return act(call.key(), call.step());
  }

  /** Makes a step of a call or a person, and tells of it. */
  synchronized HalfAnswer act(HalfKey key, HalfStep step) {
    HalfState before = states.getOrDefault(key, HalfState.UNKNOWN);
    HalfAnswer answer = step(key, step);
    if (answer.state() != before && !answer.state().isRemembered()) {
      Prepared row = before.isOpen() ? prepared.get(key) : null;
      Duration age = row == null ? Duration.ZERO : Duration.between(row.at(), time.instant());
      listener.changed(key, before, answer.state(), age);
    }
    if (answer.refusal() != null) {
      listener.refused(key, step, answer.refusal());
    }
    return answer;
  }

  private Prepared prepared(HalfMessage message) {
    return new Prepared(
        prepared.size() + 1L,
        message.key(),
        time.instant(),
        message.message().destination().toString(),
        message.checkBack());
  }

  /** Makes any step, also one of the check-back. */
  synchronized HalfAnswer step(HalfKey key, HalfStep step) {
    requireReachable();
    HalfState before = states.getOrDefault(key, HalfState.UNKNOWN);
    HalfAnswer answer = HalfAnswer.of(key, before.after(step));
    if (answer.state() != HalfState.UNKNOWN) {
      states.put(key, answer.state());
    }
    if (answer.state().isFinal()) {
      HalfMessage message = open.remove(key);
      if (message != null && answer.state() == HalfState.COMMITTED) {
        sent.add(withDueTime(message));
      }
    }
    return answer;
  }

  /** Returns every half message that was ever prepared, in the order of the prepares. */
  synchronized List<Prepared> prepared() {
    requireReachable();
    return List.copyOf(prepared.values());
  }

  private Message withDueTime(HalfMessage message) {
    return message.delay().isZero()
        ? message.message()
        : message.message().notBefore(time.instant().plus(message.delay()));
  }

  @Override
  public synchronized Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
    requireReachable();
    Map<HalfKey, HalfState> found = new HashMap<>();
    keys.forEach(key -> found.put(key, states.getOrDefault(key, HalfState.UNKNOWN)));
    return found;
  }

  private void requireReachable() {
    if (unreachable) {
      throw new StoreException("The half messages in memory are away", null);
    }
  }

  /** What was committed, in the order of the commits; those with a delay have their due time. */
  public synchronized List<Message> sent() {
    return List.copyOf(sent);
  }

  /** Takes the database away, or brings it back. */
  public synchronized void unreachable(boolean away) {
    unreachable = away;
  }
}
