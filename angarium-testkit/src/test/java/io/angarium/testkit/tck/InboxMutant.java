package io.angarium.testkit.tck;

import io.angarium.StoreException;
import io.angarium.inbox.ConcurrentDeliveryException;
import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxBatchWork;
import io.angarium.inbox.InboxKey;
import io.angarium.inbox.InboxWork;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;

/** Known ways to get an inbox wrong, and the test of the contract that must notice. */
enum InboxMutant {
  NONE("", Planted::new),
  RUNS_DUPLICATES(
      "workRunsAtTheFirstDeliveryOnly", real -> renaming(real, key -> new InboxKey("x", next()))),
  TELLS_DUPLICATES_AS_NEW(
      "workRunsAtTheFirstDeliveryOnly",
      real ->
          new Planted(real) {
            @Override
            public <X extends Exception> boolean process(
                InboxKey key, InboxWork<List<String>, X> work) throws X {
              boolean unused = super.process(key, work);
              return true;
            }
          }),
  KEEPS_HALF_OF_THE_ID(
      "everyBitOfAnIdCounts",
      real ->
          renaming(
              real,
              key ->
                  new InboxKey(key.consumer(), new UUID(0, key.id().getLeastSignificantBits())))),
  REMEMBERS_FAILED_WORK("failedWorkLeavesNothingAndRunsAtTheNextDelivery", NotesFirst::new),
  KEEPS_NO_NOTE_OF_BATCHES(
      "keysOfABatchAreDuplicatesAfterwards",
      real ->
          new Planted(real) {
            @Override
            public <X extends Exception> Set<InboxKey> processAll(
                Collection<InboxKey> keys, InboxBatchWork<List<String>, X> work) throws X {
              Set<InboxKey> all = new HashSet<>(keys);
              super.process(new InboxKey("x", next()), writes -> work.in(writes, all));
              return all;
            }
          }),
  IGNORES_THE_CASE_OF_CONSUMERS(
      "consumersDoNotKnowOfEachOthersKeys",
      real ->
          renaming(real, key -> new InboxKey(key.consumer().toLowerCase(Locale.ROOT), key.id()))),
  CUTS_CONSUMERS(
      "longestNameOfAConsumerIsKept",
      real ->
          renaming(
              real,
              key ->
                  new InboxKey(
                      key.consumer().substring(0, Math.min(99, key.consumer().length())),
                      key.id()))),
  CALLS_WORK_WITHOUT_KEYS(
      "workIsNotCalledIfNoKeyIsNew",
      real ->
          new Planted(real) {
            @Override
            public <X extends Exception> Set<InboxKey> processAll(
                Collection<InboxKey> keys, InboxBatchWork<List<String>, X> work) throws X {
              Set<InboxKey> fresh = super.processAll(keys, work);
              if (fresh.isEmpty()) {
                super.process(new InboxKey("x", next()), writes -> work.in(writes, Set.of()));
              }
              return fresh;
            }
          }),
  GIVES_DUPLICATES_TO_BATCHES(
      "workIsGivenTheNewKeysOnly",
      real ->
          new Planted(real) {
            @Override
            public <X extends Exception> Set<InboxKey> processAll(
                Collection<InboxKey> keys, InboxBatchWork<List<String>, X> work) throws X {
              return super.processAll(
                  keys, (writes, fresh) -> work.in(writes, new HashSet<>(keys)));
            }
          }),
  COMMITS_A_BATCH_ONE_BY_ONE("failureLeavesNoneOfTheBatch", OneByOne::new),
  TAKES_OPEN_DELIVERIES_FOR_DUPLICATES(
      "deliveryIsNoDuplicateOfOneThatMayStillFail",
      real ->
          new Planted(real) {
            @Override
            public <X extends Exception> boolean process(
                InboxKey key, InboxWork<List<String>, X> work) throws X {
              try {
                return super.process(key, work);
              } catch (ConcurrentDeliveryException e) {
                return false;
              }
            }
          }),
  TAKES_OPEN_DELIVERIES_FOR_DUPLICATES_IN_BATCHES(
      "batchIsNoDuplicateOfADeliveryThatMayStillFail",
      real ->
          new Planted(real) {
            @Override
            public <X extends Exception> Set<InboxKey> processAll(
                Collection<InboxKey> keys, InboxBatchWork<List<String>, X> work) throws X {
              try {
                return super.processAll(keys, work);
              } catch (ConcurrentDeliveryException e) {
                return Set.of();
              }
            }
          }),
  LOOKS_BEFORE_IT_NOTES("ofEightDeliveriesAtOnceOneRuns", LooksFirst::new),
  WAITS_FOR_EVER("deliveryThatHangsIsNotWaitedForWithoutAnEnd", Waiting::new),
  LETS_ALL_WAIT_FOR_ONE("otherKeysAreNotWaitedFor", OneLock::new),
  LOCKS_IN_THE_ORDER_GIVEN("overlappingBatchesInOppositeOrdersTakeEffectOnce", Deadlocking::new),
  ENDS_BATCHES_THAT_OVERLAP("overlappingBatchesInOppositeOrdersTakeEffectOnce", EndingSome::new);

  private final String noticedBy;

  @SuppressWarnings("ImmutableEnumChecker") // lambdas without a state of their own
  private final UnaryOperator<Inbox<List<String>>> planting;

  InboxMutant(String noticedBy, UnaryOperator<Inbox<List<String>>> planting) {
    this.noticedBy = noticedBy;
    this.planting = planting;
  }

  String noticedBy() {
    return noticedBy;
  }

  Inbox<List<String>> plant(Inbox<List<String>> real) {
    return planting.apply(real);
  }

  private static UUID next() {
    return UUID.randomUUID();
  }

  private static Inbox<List<String>> renaming(
      Inbox<List<String>> real, UnaryOperator<InboxKey> renamed) {
    return new Planted(real) {
      @Override
      public <X extends Exception> boolean process(InboxKey key, InboxWork<List<String>, X> work)
          throws X {
        return super.process(renamed.apply(key), work);
      }
    };
  }

  /** An inbox in which a mutant replaces a method. */
  private static class Planted implements Inbox<List<String>> {
    private final Inbox<List<String>> real;

    Planted(Inbox<List<String>> real) {
      this.real = real;
    }

    @Override
    public <X extends Exception> boolean process(InboxKey key, InboxWork<List<String>, X> work)
        throws X {
      return real.process(key, work);
    }

    @Override
    public <X extends Exception> Set<InboxKey> processAll(
        Collection<InboxKey> keys, InboxBatchWork<List<String>, X> work) throws X {
      return real.processAll(keys, work);
    }
  }

  /** Has a delivery wait for the end of another one, however long that takes. */
  private static final class Waiting extends Planted {
    Waiting(Inbox<List<String>> real) {
      super(real);
    }

    @Override
    public <X extends Exception> boolean process(InboxKey key, InboxWork<List<String>, X> work)
        throws X {
      while (true) {
        try {
          return super.process(key, work);
        } catch (ConcurrentDeliveryException e) {
          LockSupport.parkNanos(1_000_000);
          if (Thread.currentThread().isInterrupted()) {
            throw e;
          }
        }
      }
    }
  }

  /** Commits the note in a transaction of its own, before the work. */
  private static final class NotesFirst extends Planted {
    NotesFirst(Inbox<List<String>> real) {
      super(real);
    }

    @Override
    public <X extends Exception> boolean process(InboxKey key, InboxWork<List<String>, X> work)
        throws X {
      return super.process(key, writes -> {}) && super.process(new InboxKey("x", next()), work);
    }
  }

  /** Each key of a batch in a transaction of its own. */
  private static final class OneByOne extends Planted {
    OneByOne(Inbox<List<String>> real) {
      super(real);
    }

    @Override
    public <X extends Exception> Set<InboxKey> processAll(
        Collection<InboxKey> keys, InboxBatchWork<List<String>, X> work) throws X {
      Set<InboxKey> fresh = new HashSet<>();
      for (InboxKey key : keys) {
        if (process(key, writes -> {})) {
          fresh.add(key);
        }
      }
      if (!fresh.isEmpty()) {
        process(new InboxKey("x", next()), writes -> work.in(writes, fresh));
      }
      return fresh;
    }
  }

  /** Asks whether there is a note, runs the work, and writes the note. */
  private static final class LooksFirst extends Planted {
    private final Map<InboxKey, Boolean> notes = new ConcurrentHashMap<>();

    LooksFirst(Inbox<List<String>> real) {
      super(real);
    }

    @Override
    public <X extends Exception> boolean process(InboxKey key, InboxWork<List<String>, X> work)
        throws X {
      if (notes.containsKey(key)) {
        return false;
      }
      LockSupport.parkNanos(2_000_000);
      boolean ran = super.process(new InboxKey("x", next()), work);
      notes.put(key, true);
      return ran;
    }
  }

  /** Locks a table. */
  private static final class OneLock extends Planted {
    private final ReentrantLock lock = new ReentrantLock();

    OneLock(Inbox<List<String>> real) {
      super(real);
    }

    @Override
    public <X extends Exception> boolean process(InboxKey key, InboxWork<List<String>, X> work)
        throws X {
      if (!lock.tryLock()) {
        throw new ConcurrentDeliveryException("something", null);
      }
      try {
        return super.process(key, work);
      } finally {
        lock.unlock();
      }
    }
  }

  /**
   * Has batches wait for each other, but ends one now and then as the victim of a deadlock; it
   * comes again, and is processed.
   */
  private static final class EndingSome extends Planted {
    private int batches;

    EndingSome(Inbox<List<String>> real) {
      super(real);
    }

    @Override
    public synchronized <X extends Exception> Set<InboxKey> processAll(
        Collection<InboxKey> keys, InboxBatchWork<List<String>, X> work) throws X {
      if (++batches % 5 == 0) {
        throw new ConcurrentDeliveryException("something", null);
      }
      return super.processAll(keys, work);
    }
  }

  /** Locks the keys of a batch as they come, and tells of a deadlock as of any other trouble. */
  private static final class Deadlocking extends Planted {
    private final Map<InboxKey, ReentrantLock> locks = new ConcurrentHashMap<>();

    Deadlocking(Inbox<List<String>> real) {
      super(real);
    }

    @Override
    public <X extends Exception> Set<InboxKey> processAll(
        Collection<InboxKey> keys, InboxBatchWork<List<String>, X> work) throws X {
      Map<InboxKey, ReentrantLock> held = new LinkedHashMap<>();
      try {
        for (InboxKey key : keys) {
          ReentrantLock lock = locks.computeIfAbsent(key, k -> new ReentrantLock());
          if (!held.isEmpty() && lock.isLocked()) {
            throw new StoreException("deadlock at " + key, null);
          }
          lock.lock();
          held.put(key, lock);
          LockSupport.parkNanos(20_000);
        }
        return super.processAll(keys, work);
      } finally {
        held.values().forEach(ReentrantLock::unlock);
      }
    }
  }
}
