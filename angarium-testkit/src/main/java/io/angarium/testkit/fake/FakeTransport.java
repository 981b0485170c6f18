package io.angarium.testkit.fake;

import io.angarium.Destination;
import io.angarium.MessageId;
import io.angarium.TimeSource;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.CallerView;
import io.angarium.transport.KeyOrder;
import io.angarium.transport.SendResult;
import io.angarium.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;

/**
 * A transport and its broker in memory. It acknowledges at once unless told otherwise: by faults
 * planned ahead ({@link #failNext} and the like), by {@link #outcomes}, or one by one in
 * {@linkplain #manual manual} mode. A pipelined one keeps the promise of {@link KeyOrder#PIPELINED}
 * whatever faults are planned; of a chained one, {@link #orderFaults} tells whether the relay kept
 * its part.
 *
 * <p>Thread-safe. Results are given by the thread that causes them, or by {@link #resultsOn}.
 */
public final class FakeTransport implements Transport {
  /** What the broker makes of one attempt. */
  public enum Outcome {
    /** Stored and acknowledged. */
    ACKNOWLEDGE,
    /** Not stored; {@link SendResult.Failed}. */
    FAIL,
    /** Stored, but the acknowledgement is lost: {@link SendResult.Failed}. */
    LOSE_ACK,
    /** Not stored; {@link SendResult.Refused}. */
    REFUSE,
    /** Not stored; {@link SendResult.Unavailable}. */
    UNAVAILABLE,
    /** Stored, then the connection broke: {@link SendResult.Unavailable}. */
    UNAVAILABLE_AFTER_STORING
  }

  private final String name;
  private final KeyOrder keyOrder;
  private final FakeBroker broker;
  private final PlannedOutcomes planned = new PlannedOutcomes();
  private final List<FakeAttempt> inFlight = new ArrayList<>();
  private final List<String> orderFaults = new ArrayList<>();
  private Executor resultThread = Runnable::run;
  private Duration resultMax = Duration.ofSeconds(2);
  private boolean manual;
  private boolean closed;
  private int resultsOnTheWay;

  private FakeTransport(String name, KeyOrder keyOrder, FakeBroker broker) {
    this.name = name;
    this.keyOrder = keyOrder;
    this.broker = broker;
  }

  /** A pipelined transport named {@code fake} with a broker of its own. */
  public static FakeTransport pipelined() {
    return new FakeTransport("fake", KeyOrder.PIPELINED, new FakeBroker());
  }

  /** A chained transport named {@code fake} with a broker of its own. */
  public static FakeTransport chained() {
    return new FakeTransport("fake", KeyOrder.CHAINED, new FakeBroker());
  }

  /** A transport to a broker that others send to as well. */
  public static FakeTransport to(FakeBroker broker, String name, KeyOrder keyOrder) {
    return new FakeTransport(name, keyOrder, broker);
  }

  /** The broker behind it. */
  public FakeBroker broker() {
    return broker;
  }

  /** Lets the next {@code n} attempts fail without being stored. */
  public FakeTransport failNext(int n) {
    planned.next(n, Outcome.FAIL);
    return this;
  }

  /** Lets the next {@code n} attempts be refused. */
  public FakeTransport refuseNext(int n) {
    planned.next(n, Outcome.REFUSE);
    return this;
  }

  /** Lets the next {@code n} attempts be stored, but appear failed. */
  public FakeTransport loseAckNext(int n) {
    planned.next(n, Outcome.LOSE_ACK);
    return this;
  }

  /** Lets a destination, in its text form, be down until it is called with false. */
  public FakeTransport unavailable(String destination, boolean down) {
    planned.unavailable(Destination.parse(destination), down);
    return this;
  }

  /** Lets every attempt fail whose message matches, until {@link #heal}. */
  public FakeTransport failWhile(Predicate<StoredMessage> poison) {
    return outcomes(message -> poison.test(message) ? Outcome.FAIL : Outcome.ACKNOWLEDGE);
  }

  /** Refuses every message that matches, until {@link #heal}. */
  public FakeTransport refuseWhile(Predicate<StoredMessage> poison) {
    return outcomes(message -> poison.test(message) ? Outcome.REFUSE : Outcome.ACKNOWLEDGE);
  }

  /** Asked for every attempt for which nothing else is planned; replaces the one before. */
  public FakeTransport outcomes(Function<StoredMessage, Outcome> outcomes) {
    planned.otherwise(outcomes);
    return this;
  }

  /** Forgets everything planned: all destinations are up, everything is acknowledged. */
  public FakeTransport heal() {
    planned.clear();
    return this;
  }

  /**
   * From now on results are given only when {@link #acknowledgeAll} or {@link #resolve} says so.
   */
  public FakeTransport manual() {
    synchronized (inFlight) {
      manual = true;
    }
    return this;
  }

  /** From now on results are given at once; those in flight stay until they are resolved. */
  public FakeTransport automatic() {
    synchronized (inFlight) {
      manual = false;
    }
    return this;
  }

  /** Gives results through an executor, e.g. from another thread. */
  public FakeTransport resultsOn(Executor executor) {
    synchronized (inFlight) {
      resultThread = executor;
    }
    return this;
  }

  /** The answer of {@link #resultMax()}; 2 s unless set. Nothing is enforced. */
  public FakeTransport resultMax(Duration resultMax) {
    this.resultMax = resultMax;
    return this;
  }

  /** Resolves all that is in flight as planned, in order; without plans all is acknowledged. */
  public void acknowledgeAll() {
    inFlight().forEach(message -> resolve(message.id()));
  }

  /** Resolves one message in flight as planned; does nothing if it is not in flight. */
  public void resolve(MessageId id) {
    finish(id, planned::of);
  }

  /** Resolves one message in flight; does nothing if it is not in flight. */
  public void resolve(MessageId id, Outcome outcome) {
    finish(id, message -> outcome);
  }

  /** What was handed over and has no result yet, in order. */
  public List<StoredMessage> inFlight() {
    synchronized (inFlight) {
      return inFlight.stream()
          .filter(attempt -> !attempt.isDecided())
          .map(attempt -> attempt.message)
          .toList();
    }
  }

  /** What the broker stored for a destination in its text form, in order, repeats included. */
  public List<StoredMessage> stored(String destination) {
    return broker.stored(Destination.parse(destination));
  }

  /** Messages of a key that were handed over together though the transport is chained. */
  public List<String> orderFaults() {
    synchronized (inFlight) {
      return List.copyOf(orderFaults);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public KeyOrder keyOrder() {
    return keyOrder;
  }

  @Override
  public Transport of(String caller) {
    Object identity = new Object();
    return new CallerView(this, caller, (messages, results) -> send(identity, messages, results));
  }

  @Override
  public void send(List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    send(this, messages, results);
  }

  private void send(
      Object caller, List<StoredMessage> messages, BiConsumer<StoredMessage, SendResult> results) {
    List<FakeAttempt> attempts =
        messages.stream().map(message -> new FakeAttempt(caller, message, results)).toList();
    boolean wait;
    synchronized (inFlight) {
      attempts.forEach(this::enter);
      wait = manual && !closed;
    }
    if (!wait) {
      attempts.forEach(attempt -> finish(attempt, planned::of));
    }
    // Before its next call the relay sees all results given so far. A call that hands over
    // messages without a key only may be that of somebody else.
    boolean relay = messages.isEmpty() || messages.stream().anyMatch(StoredMessage::isKeyed);
    synchronized (inFlight) {
      inFlight.removeIf(
          attempt ->
              attempt.isReported()
                  && attempt.isOf(caller)
                  && (relay || !attempt.message.isKeyed()));
    }
  }

  @Override
  public Duration resultMax() {
    return resultMax;
  }

  @Override
  public Duration blockingMax() {
    return Duration.ZERO;
  }

  /** Waits for results that another thread gives; does not wait in manual mode. */
  @Override
  public void flush(Duration timeout) {
    long deadline = TimeSource.SYSTEM.nanoTime() + timeout.toNanos();
    synchronized (inFlight) {
      long millisLeft = timeout.toMillis();
      while (resultsOnTheWay > 0 && millisLeft > 0) {
        try {
          inFlight.wait(millisLeft);
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
          return;
        }
        millisLeft = (deadline - TimeSource.SYSTEM.nanoTime()) / 1_000_000;
      }
    }
  }

  @Override
  public void close() {
    synchronized (inFlight) {
      closed = true;
    }
    inFlight().forEach(message -> resolve(message.id(), Outcome.FAIL));
  }

  private void enter(FakeAttempt attempt) {
    List<FakeAttempt> ahead = inFlight.stream().filter(attempt::sameKey).toList();
    if (keyOrder == KeyOrder.CHAINED && !ahead.isEmpty()) {
      orderFaults.add(attempt.message + " was handed over behind another one of its key");
    }
    if (keyOrder == KeyOrder.PIPELINED) {
      guard(attempt, ahead.stream().filter(FakeAttempt::isNeverStored).toList());
    }
    inFlight.add(attempt);
  }

  /**
   * The caller may not have seen yet that earlier ones of the key failed: only the first of them
   * may pass, being tried again, and not behind one that was handed over since and will fail.
   */
  private void guard(FakeAttempt attempt, List<FakeAttempt> failed) {
    if (failed.isEmpty()) {
      return;
    }
    FakeAttempt first = failed.get(0);
    boolean allReported = failed.stream().allMatch(FakeAttempt::isReported);
    if (allReported && first.message.id().equals(attempt.message.id())) {
      inFlight.remove(first);
    } else {
      attempt.neverStore();
    }
  }

  private void finish(MessageId id, Function<StoredMessage, Outcome> outcomes) {
    FakeAttempt found;
    synchronized (inFlight) {
      found =
          inFlight.stream()
              .filter(attempt -> !attempt.isDecided() && attempt.message.id().equals(id))
              .findFirst()
              .orElse(null);
    }
    if (found != null) {
      finish(found, outcomes);
    }
  }

  private void finish(FakeAttempt attempt, Function<StoredMessage, Outcome> outcomes) {
    SendResult result;
    Executor thread;
    synchronized (inFlight) {
      if (attempt.isDecided()) {
        return;
      }
      Outcome outcome = closed ? Outcome.FAIL : outcomes.apply(attempt.message);
      settleFate(attempt, outcome);
      result = attempt.decide(outcome);
      thread = resultThread;
      resultsOnTheWay++;
    }
    thread.execute(() -> report(attempt, result));
  }

  private void settleFate(FakeAttempt attempt, Outcome outcome) {
    switch (outcome) {
      case ACKNOWLEDGE, LOSE_ACK, UNAVAILABLE_AFTER_STORING -> {
        if (!attempt.isNeverStored()) {
          promised(inFlight.subList(0, inFlight.indexOf(attempt)), attempt)
              .forEach(earlier -> earlier.store(broker));
        }
        attempt.store(broker);
      }
      case REFUSE -> attempt.refuse();
      case FAIL, UNAVAILABLE -> {
        attempt.neverStore();
        if (attempt.isNeverStored()) {
          int place = inFlight.indexOf(attempt);
          promised(inFlight.subList(place, inFlight.size()), attempt)
              .forEach(FakeAttempt::neverStore);
        }
      }
    }
  }

  /** Returns the attempts that share the fate of an attempt of their key. */
  private List<FakeAttempt> promised(List<FakeAttempt> attempts, FakeAttempt one) {
    return keyOrder == KeyOrder.CHAINED
        ? List.of()
        : attempts.stream().filter(one::sameKey).toList();
  }

  /** A failed one is remembered until the caller must have seen its result. */
  private void report(FakeAttempt attempt, SendResult result) {
    try {
      attempt.report(result);
    } finally {
      synchronized (inFlight) {
        attempt.reported();
        if (!attempt.isNeverStored()) {
          inFlight.remove(attempt);
        }
        resultsOnTheWay--;
        inFlight.notifyAll();
      }
    }
  }
}
