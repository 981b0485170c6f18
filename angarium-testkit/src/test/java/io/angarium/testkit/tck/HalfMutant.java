package io.angarium.testkit.tck;

import io.angarium.Headers;
import io.angarium.StoreException;
import io.angarium.half.HalfAnswer;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfCall.Commit;
import io.angarium.half.HalfCall.Prepare;
import io.angarium.half.HalfCall.Rollback;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.half.WhenUnknown;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;
import java.util.function.UnaryOperator;

/** Known ways to get half messages wrong, and the test of the contract that must notice. */
enum HalfMutant {
  NONE("", (real, clock) -> real),
  SENDS_WHAT_IS_PREPARED(
      "preparedMessageIsNotSent",
      (real, clock) ->
          new Planted(real) {
            @Override
            HalfAnswer call(HalfCall call) {
              HalfAnswer answer = real(call);
              if (call instanceof Prepare prepare) {
                send(prepare.message());
              }
              return answer;
            }
          }),
  SENDS_NOTHING(
      "committedMessageIsSent",
      (real, clock) ->
          new Planted(real) {
            @Override
            HalfAnswer call(HalfCall call) {
              return call instanceof Commit
                  ? new HalfAnswer(call.key(), HalfState.COMMITTED, null)
                  : real(call);
            }
          }),
  ROLLS_NOTHING_BACK(
      "rolledBackMessageIsNeverSent",
      (real, clock) ->
          new Planted(real) {
            @Override
            HalfAnswer call(HalfCall call) {
              return call instanceof Rollback
                  ? real(new Commit(call.key(), WhenUnknown.REFUSE))
                  : real(call);
            }
          }),
  SENDS_AGAIN_WHEN_ASKED_AGAIN(
      "repeatedCommitAnswersTheSameAndSendsOnce",
      (real, clock) ->
          new Planted(real) {
            @Override
            HalfAnswer call(HalfCall call) {
              if (call instanceof Commit && state(call.key()) == HalfState.COMMITTED) {
                send(HalfScene.message(call.key()));
              }
              return real(call);
            }
          }),
  FORGETS_ROLLBACKS(
      "repeatedRollbackAnswersTheSame",
      (real, clock) ->
          new Planted(real) {
            @Override
            HalfAnswer call(HalfCall call) {
              return state(call.key()) == HalfState.ROLLED_BACK
                  ? new HalfAnswer(call.key(), HalfState.UNKNOWN, null)
                  : real(call);
            }
          }),
  LETS_A_COMMIT_FOLLOW_A_ROLLBACK(
      "commitAfterRollbackIsRefused", (real, clock) -> accepting(real, Commit.class)),
  LETS_A_ROLLBACK_FOLLOW_A_COMMIT(
      "rollbackAfterCommitIsRefused", (real, clock) -> accepting(real, Rollback.class)),
  LETS_WHAT_WAS_ROLLED_BACK_BE_PREPARED(
      "prepareAfterRollbackIsRefused", (real, clock) -> accepting(real, Prepare.class)),
  REPLACES_THE_MESSAGE("repeatedPrepareKeepsTheFirstMessage", (real, clock) -> new Replacing(real)),
  FORGETS_WHAT_IT_SENT("prepareAfterCommitSendsNothingMore", (real, clock) -> new Replacing(real)),
  REMEMBERS_EVERY_DECISION(
      "decisionForAnUnknownKeyIsRefusedAndNotRemembered",
      (real, clock) ->
          changing(
              real,
              call ->
                  call instanceof Commit ? new Commit(call.key(), WhenUnknown.REMEMBER) : call)),
  REMEMBERS_NO_DECISION(
      "commitBeforeItsPrepareIsRemembered",
      (real, clock) ->
          new Planted(real) {
            @Override
            HalfAnswer call(HalfCall call) {
              return call instanceof Commit && state(call.key()) == HalfState.UNKNOWN
                  ? new HalfAnswer(call.key(), HalfState.COMMIT_REMEMBERED, null)
                  : real(call);
            }
          }),
  TAKES_EVERY_REMEMBERED_DECISION_FOR_A_COMMIT(
      "rollbackBeforeItsPrepareIsRemembered",
      (real, clock) ->
          changing(
              real,
              call ->
                  call instanceof Rollback rollback
                          && rollback.whenUnknown() == WhenUnknown.REMEMBER
                      ? new Commit(call.key(), WhenUnknown.REMEMBER)
                      : call)),
  DROPS_HEADERS(
      "messageIsSentAsItWasPrepared",
      (real, clock) ->
          changing(
              real,
              call ->
                  call instanceof Prepare prepare
                      ? new Prepare(
                          new HalfMessage(
                              call.key(),
                              prepare.message().message().headers(Headers.EMPTY),
                              prepare.message().delay(),
                              null))
                      : call)),
  COUNTS_THE_DELAY_FROM_THE_PREPARE(
      "delayCountsFromTheCommit",
      (real, clock) ->
          changing(real, call -> call instanceof Prepare prepare ? fromNow(prepare, clock) : call)),
  DROPS_THE_DELAY_OF_A_COMMIT(
      "delayOfACommitTakesThePlaceOfThatOfThePrepareOrIsRefused",
      (real, clock) ->
          changing(
              real,
              call ->
                  call instanceof Commit commit
                      ? new Commit(commit.key(), commit.whenUnknown())
                      : call)),
  IGNORES_THE_CASE(
      "keysAreComparedCharacterByCharacter",
      (real, clock) ->
          renaming(real, key -> new HalfKey(key.business(), key.key().toLowerCase(Locale.ROOT)))),
  CUTS_KEYS(
      "longestKeyIsKept",
      (real, clock) ->
          renaming(
              real,
              key ->
                  new HalfKey(
                      key.business(), key.key().substring(0, Math.min(254, key.key().length()))))),
  STOPS_AT_A_REFUSAL("everyCallOfABatchHasItsAnswer", (real, clock) -> new Stopping(real)),
  PREPARES_FIRST(
      "callsOfOneKeyTakeEffectInTheirOrder",
      (real, clock) ->
          new Planted(real) {
            @Override
            public List<HalfAnswer> callAll(List<HalfCall> calls) {
              return super.callAll(
                  calls.stream()
                      .sorted(Comparator.comparing(call -> !(call instanceof Prepare)))
                      .toList());
            }
          }),
  TAKES_A_BATCH_APART(
      "batchWithAMessageThatBreaksALimitHasNoEffect", (real, clock) -> new Planted(real)),
  LOOKS_BEFORE_IT_SENDS("ofEightCommitsAtOnceOneSends", (real, clock) -> new Looking(real)),
  TELLS_BOTH_SIDES_WHAT_THEY_WANT(
      "commitAndRollbackAtOnceAgree",
      (real, clock) ->
          new Planted(real) {
            @Override
            HalfAnswer call(HalfCall call) {
              boolean open = state(call.key()).isOpen();
              LockSupport.parkNanos(2_000_000);
              HalfAnswer answer = real(call);
              return open ? new HalfAnswer(call.key(), answer.state(), null) : answer;
            }
          }),
  REMEMBERS_BESIDE_THE_MESSAGE(
      "rememberedCommitAndPrepareAtOnceMeet", (real, clock) -> new Beside(real)),
  BREAKS_WHEN_INTERRUPTED(
      "callerThatIsInterruptedStaysSoAndBreaksNothing",
      (real, clock) ->
          new Planted(real) {
            private boolean broken;

            @Override
            HalfAnswer call(HalfCall call) {
              broken |= Thread.currentThread().isInterrupted();
              if (broken) {
                throw new StoreException("not loaded", null);
              }
              return real(call);
            }
          });

  private final String noticedBy;

  @SuppressWarnings("ImmutableEnumChecker") // lambdas without a state of their own
  private final BiFunction<HalfMessages, InstantSource, HalfMessages> planting;

  HalfMutant(String noticedBy, BiFunction<HalfMessages, InstantSource, HalfMessages> planting) {
    this.noticedBy = noticedBy;
    this.planting = planting;
  }

  String noticedBy() {
    return noticedBy;
  }

  HalfMessages plant(HalfMessages real, InstantSource clock) {
    return planting.apply(real, clock);
  }

  private static HalfCall fromNow(Prepare prepare, InstantSource clock) {
    HalfMessage message = prepare.message();
    return message.delay().isZero()
        ? prepare
        : new Prepare(
            new HalfMessage(
                message.key(),
                message.message().notBefore(clock.instant().plus(message.delay())),
                Duration.ZERO,
                null));
  }

  private static HalfMessages accepting(HalfMessages real, Class<? extends HalfCall> refused) {
    return new Planted(real) {
      @Override
      HalfAnswer call(HalfCall call) {
        HalfAnswer answer = real(call);
        return refused.isInstance(call) ? new HalfAnswer(call.key(), answer.state(), null) : answer;
      }
    };
  }

  private static HalfMessages changing(HalfMessages real, UnaryOperator<HalfCall> changed) {
    return new Planted(real) {
      @Override
      HalfAnswer call(HalfCall call) {
        return real(changed.apply(call));
      }
    };
  }

  private static HalfMessages renaming(HalfMessages real, UnaryOperator<HalfKey> renamed) {
    return new Planted(real) {
      @Override
      HalfAnswer call(HalfCall call) {
        HalfAnswer answer = real(renamed(call, renamed.apply(call.key())));
        return new HalfAnswer(call.key(), answer.state(), answer.refusal());
      }

      @Override
      public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
        Map<HalfKey, HalfState> states = new HashMap<>();
        keys.forEach(key -> states.putAll(Map.of(key, realState(renamed.apply(key)))));
        return states;
      }
    };
  }

  private static HalfCall renamed(HalfCall call, HalfKey key) {
    if (call instanceof Prepare prepare) {
      HalfMessage message = prepare.message();
      return new Prepare(new HalfMessage(key, message.message(), message.delay(), null));
    }
    return call instanceof Commit commit
        ? new Commit(key, commit.whenUnknown())
        : new Rollback(key, ((Rollback) call).whenUnknown());
  }

  /** Half messages in which a mutant replaces a call, one at a time. */
  private static class Planted implements HalfMessages {
    private final HalfMessages real;
    private final AtomicInteger copies = new AtomicInteger();

    Planted(HalfMessages real) {
      this.real = real;
    }

    final HalfAnswer real(HalfCall call) {
      return real.callAll(List.of(call)).get(0);
    }

    final HalfState realState(HalfKey key) {
      return real.state(key);
    }

    /** Sends a message past everything. */
    final void send(HalfMessage message) {
      HalfKey key = new HalfKey("copies", "" + copies.incrementAndGet());
      real(new Prepare(new HalfMessage(key, message.message(), message.delay(), null)));
      real(new Commit(key, WhenUnknown.REFUSE));
    }

    HalfAnswer call(HalfCall call) {
      return real(call);
    }

    @Override
    public List<HalfAnswer> callAll(List<HalfCall> calls) {
      return calls.stream().map(this::call).toList();
    }

    @Override
    public Map<HalfKey, HalfState> states(Collection<HalfKey> keys) {
      return real.states(keys);
    }
  }

  /** Begins anew with each prepare. */
  private static final class Replacing extends Planted {
    private final Map<HalfKey, Integer> times = new ConcurrentHashMap<>();

    Replacing(HalfMessages real) {
      super(real);
    }

    @Override
    HalfAnswer call(HalfCall call) {
      int time = times.merge(call.key(), call instanceof Prepare ? 1 : 0, Integer::sum);
      HalfKey key = new HalfKey(call.key().business(), call.key().key() + " " + time);
      HalfAnswer answer = real(renamed(call, key));
      boolean committed = state(new HalfKey(key.business(), call.key().key() + " 1")).isFinal();
      return new HalfAnswer(
          call.key(), committed ? HalfState.COMMITTED : answer.state(), answer.refusal());
    }
  }

  /** Leaves the rest of a batch undone. */
  private static final class Stopping extends Planted {
    Stopping(HalfMessages real) {
      super(real);
    }

    @Override
    public List<HalfAnswer> callAll(List<HalfCall> calls) {
      List<HalfAnswer> answers = new ArrayList<>();
      boolean refused = false;
      for (HalfCall call : calls) {
        HalfAnswer answer =
            refused ? new HalfAnswer(call.key(), state(call.key()), null) : call(call);
        refused |= answer.refusal() != null;
        answers.add(answer);
      }
      return answers;
    }
  }

  /** Asks whether it is sent, and sends it. */
  private static final class Looking extends Planted {
    Looking(HalfMessages real) {
      super(real);
    }

    @Override
    HalfAnswer call(HalfCall call) {
      if (!(call instanceof Commit) || state(call.key()) != HalfState.PREPARED) {
        return real(call);
      }
      LockSupport.parkNanos(2_000_000);
      send(HalfScene.message(call.key()));
      return real(call);
    }
  }

  /** Keeps decisions that come early in another place than messages. */
  private static final class Beside extends Planted {
    private final Map<HalfKey, HalfCall> early = new ConcurrentHashMap<>();

    Beside(HalfMessages real) {
      super(real);
    }

    @Override
    HalfAnswer call(HalfCall call) {
      boolean unknown = state(call.key()) == HalfState.UNKNOWN;
      HalfCall decision = early.get(call.key());
      LockSupport.parkNanos(2_000_000);
      if (unknown && call instanceof Commit) {
        early.put(call.key(), call);
        return new HalfAnswer(call.key(), HalfState.COMMIT_REMEMBERED, null);
      }
      HalfAnswer answer = real(call);
      return decision == null || !(call instanceof Prepare) ? answer : real(decision);
    }
  }
}
