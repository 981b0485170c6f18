package io.angarium.testkit.tck;

import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.HalfStep;
import io.angarium.half.RefusedStepException;
import io.angarium.half.check.CheckStore;
import io.angarium.half.check.DueCheck;
import io.angarium.half.check.NotedCheck;
import io.angarium.half.decide.HalfBacklog;
import io.angarium.half.decide.HalfDetails;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.half.decide.OperatorDecision;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/** Known ways to get check-backs wrong, and the test of the contract that must notice. */
enum CheckMutant {
  NONE("", real -> real),
  ENTERS_WHAT_IS_YOUNG(
      "youngMessageIsNotLookedAt",
      real ->
          new Planted(real) {
            @Override
            public Entered enter(long after, Duration age) {
              return super.enter(after, Duration.ofSeconds(-1));
            }
          }),
  HANDS_A_CHECK_TO_ALL(
      "messageThatStaysPreparedIsDueOnce",
      real ->
          new Planted(real) {
            @Override
            public Claimed claim(int limit, Duration claim) {
              return super.claim(limit, Duration.ZERO);
            }
          }),
  ASKS_TWICE(
      "ofTwoNodesOneAsks",
      real ->
          new Planted(real) {
            @Override
            public Claimed claim(int limit, Duration claim) {
              return super.claim(limit, Duration.ZERO);
            }

            @Override
            public void note(Collection<NotedCheck> checks) {
              // and no pause
            }
          }),
  LOSES_THE_ADDRESS(
      "committedIsSent",
      real ->
          new Planted(real) {
            @Override
            public Claimed claim(int limit, Duration claim) {
              Claimed claimed = super.claim(limit, claim);
              return new Claimed(
                  claimed.checks().stream().map(Planted::nowhere).toList(), claimed.more());
            }
          }),
  PASSES_WHAT_IS_YOUNG(
      "searchStopsBeforeWhatIsTooYoungAndGoesOnThere",
      real ->
          new Planted(real) {
            @Override
            public Entered enter(long after, Duration age) {
              return new Entered(last(), super.enter(after, age).more());
            }
          }),
  STOPS_AFTER_A_PAGE(
      "longListIsSearchedPageByPage",
      real ->
          new Planted(real) {
            @Override
            public Entered enter(long after, Duration age) {
              return new Entered(super.enter(after, age).reached(), false);
            }
          }),
  CLAIMS_FOR_EVER(
      "claimOfADeadNodeComesBackAfterItsTime",
      real ->
          new Planted(real) {
            @Override
            public Claimed claim(int limit, Duration claim) {
              return super.claim(limit, Duration.ofDays(1_000));
            }
          }),
  NEVER_REPLACES_A_DEAD_NODE("nodeThatDiedAfterItsClaimIsReplaced", CLAIMS_FOR_EVER.planting),
  FORGETS_ANSWERS(
      "answerIsNotedUntilTheNextTime",
      real ->
          new Planted(real) {
            @Override
            public void note(Collection<NotedCheck> checks) {
              checks.forEach(noted -> putOff(List.of(noted.check()), noted.pause()));
            }
          }),
  NEVER_REACHES_THE_LIMIT("unknownIsAskedAgainUntilAPersonMustDecide", FORGETS_ANSWERS.planting),
  COUNTS_WHAT_COULD_NOT_BE_ASKED(
      "unreachableProducerIsNeverGivenUp",
      real ->
          new Planted(real) {
            @Override
            public void note(Collection<NotedCheck> checks) {
              checks.stream()
                  .filter(noted -> noted.unreachable() >= 15)
                  .forEach(noted -> super.giveUp(noted));
              super.note(checks);
            }
          }),
  COUNTS_WHAT_IS_IN_FLIGHT(
      "inFlightUsesNothingUp",
      real ->
          new Planted(real) {
            @Override
            public void note(Collection<NotedCheck> checks) {
              checks.stream()
                  .filter(noted -> noted.unknown() >= 14)
                  .forEach(noted -> super.giveUp(noted));
              super.note(
                  checks.stream().map(noted -> counted(noted, noted.unknown() + 1)).toList());
            }
          }),
  LETS_A_LATE_NODE_WRITE(
      "nodeThatIsTooLateChangesNothing",
      real ->
          new Planted(real) {
            @Override
            public void note(Collection<NotedCheck> checks) {
              super.note(checks);
              for (NotedCheck noted : checks) {
                super.note(
                    List.of(
                        new NotedCheck(
                            next(noted.check()),
                            noted.answer(),
                            noted.unknown(),
                            noted.unreachable(),
                            noted.pause())));
              }
            }

            @Override
            public void putOff(Collection<DueCheck> checks, Duration pause) {
              for (DueCheck check : checks) {
                DueCheck later = check;
                for (int i = 0; i < 5; i++) {
                  super.putOff(List.of(later), pause);
                  later = next(later);
                }
              }
            }
          }),
  GIVES_UP_IN_WORDS_ONLY(
      "whatIsGivenUpWaitsForAPerson",
      real ->
          new Planted(real) {
            @Override
            public boolean giveUp(NotedCheck last) {
              return true;
            }
          }),
  TELLS_NOBODY_OF_WHAT_A_DEAD_NODE_GAVE_UP(
      "alertOfANodeThatDiedIsToldByAnotherOneOnce",
      real ->
          new Planted(real) {
            @Override
            public List<DueCheck> untold() {
              return List.of();
            }
          }),
  NEVER_NOTES_AN_ALERT(
      "unknownIsAskedAgainUntilAPersonMustDecide",
      real ->
          new Planted(real) {
            @Override
            public void told(DueCheck givenUp) {
              // and it is told once more
            }
          }),
  DROPS_WHAT_IT_GIVES_UP(
      "backlogTellsWhatIsOpenForTooLong",
      real ->
          new Planted(real) {
            @Override
            public boolean giveUp(NotedCheck last) {
              strike(List.of(last.check()));
              return true;
            }
          }),
  DOES_NOT_PUT_OFF(
      "whatIsPutOffComesAgainAsItWas",
      real ->
          new Planted(real) {
            @Override
            public void putOff(Collection<DueCheck> checks, Duration pause) {
              super.putOff(checks, Duration.ZERO);
            }
          }),
  LISTS_WHAT_IS_YOUNG(
      "undecidedOnesThatAreYoungerAreLeftOut",
      real -> real,
      desk ->
          new PlantedDesk(desk) {
            @Override
            public List<HalfDetails> undecided(Duration olderThan, long after, int limit) {
              return super.undecided(
                  olderThan.isNegative() ? olderThan : Duration.ZERO, after, limit);
            }
          }),
  SHOWS_WHAT_IS_UNDECIDED_AGAIN(
      "undecidedOnesAreSeenPageByPageWithWhatAskingHasBrought",
      real -> real,
      desk ->
          new PlantedDesk(desk) {
            @Override
            public List<HalfDetails> undecided(Duration olderThan, long after, int limit) {
              return super.undecided(olderThan, 0, limit);
            }
          }),
  ACTS_WITHOUT_A_NOTE(
      "actsAreNotedWithWhoAndWhy",
      real -> real,
      desk ->
          new PlantedDesk(desk) {
            @Override
            public List<OperatorDecision> acts(HalfKey key) {
              return List.of();
            }
          }),
  ACTS_WITHOUT_A_REASON(
      "whoAndWhyAreRequired",
      real -> real,
      desk ->
          new PlantedDesk(desk) {
            @Override
            public HalfState act(HalfKey key, HalfStep step, String by, String reason) {
              return super.act(key, step, "somebody", "for some reason");
            }
          }),
  RESUMES_IN_WORDS_ONLY(
      "personHasTheProducerAskedAgain",
      real -> real,
      desk ->
          new PlantedDesk(desk) {
            @Override
            public HalfState act(HalfKey key, HalfStep step, String by, String reason) {
              return step == HalfStep.RESUME
                  ? HalfState.PREPARED
                  : super.act(key, step, by, reason);
            }
          }),
  COMMITS_WHEN_TOLD_TO_ROLL_BACK(
      "personRollsBack",
      real -> real,
      desk ->
          new PlantedDesk(desk) {
            @Override
            public HalfState act(HalfKey key, HalfStep step, String by, String reason) {
              super.act(key, HalfStep.COMMIT, by, reason);
              return HalfState.ROLLED_BACK;
            }
          }),
  CALLS_NOTHING_OVERDUE(
      "backlogTellsWhatIsOpenForTooLong",
      real -> real,
      desk ->
          new PlantedDesk(desk) {
            @Override
            public HalfBacklog backlog() {
              HalfBacklog real = super.backlog();
              return new HalfBacklog(real.asked(), 0, real.unresolved());
            }
          }),
  SWALLOWS_REFUSALS(
      "refusedActIsToldAndNotNoted",
      real -> real,
      desk ->
          new PlantedDesk(desk) {
            @Override
            public HalfState act(HalfKey key, HalfStep step, String by, String reason) {
              try {
                return super.act(key, step, by, reason);
              } catch (RefusedStepException e) {
                return HalfState.COMMITTED;
              }
            }
          });

  private final String noticedBy;

  @SuppressWarnings("ImmutableEnumChecker") // lambdas without a state of their own
  private final Function<CheckStore, CheckStore> planting;

  @SuppressWarnings("ImmutableEnumChecker")
  private final UnaryOperator<HalfMessageDesk> plantingDesk;

  CheckMutant(String noticedBy, Function<CheckStore, CheckStore> planting) {
    this(noticedBy, planting, desk -> desk);
  }

  CheckMutant(
      String noticedBy,
      Function<CheckStore, CheckStore> planting,
      UnaryOperator<HalfMessageDesk> plantingDesk) {
    this.noticedBy = noticedBy;
    this.planting = planting;
    this.plantingDesk = plantingDesk;
  }

  String noticedBy() {
    return noticedBy;
  }

  CheckStore plant(CheckBackFixture real) {
    return planting.apply(real.store());
  }

  HalfMessageDesk plant(HalfMessageDesk real) {
    return plantingDesk.apply(real);
  }

  /** A store in which a mutant replaces a call. */
  private static class Planted implements CheckStore {
    private final CheckStore real;

    Planted(CheckStore real) {
      this.real = real;
    }

    static DueCheck next(DueCheck check) {
      return new DueCheck(
          check.number(),
          check.version() + 1,
          check.key(),
          check.address(),
          check.unknown(),
          check.unreachable());
    }

    static DueCheck nowhere(DueCheck check) {
      return new DueCheck(
          check.number(), check.version(), check.key(), null, check.unknown(), check.unreachable());
    }

    static NotedCheck counted(NotedCheck noted, int unknown) {
      CheckAnswer answer = noted.answer();
      return new NotedCheck(noted.check(), answer, unknown, noted.unreachable(), noted.pause());
    }

    @Override
    public long last() {
      return real.last();
    }

    @Override
    public Entered enter(long after, Duration age) {
      return real.enter(after, age);
    }

    @Override
    public Claimed claim(int limit, Duration claim) {
      return real.claim(limit, claim);
    }

    @Override
    public void putOff(Collection<DueCheck> checks, Duration pause) {
      real.putOff(checks, pause);
    }

    @Override
    public void note(Collection<NotedCheck> checks) {
      real.note(checks);
    }

    @Override
    public void strike(Collection<DueCheck> checks) {
      real.strike(checks);
    }

    @Override
    public boolean giveUp(NotedCheck last) {
      return real.giveUp(last);
    }

    @Override
    public List<DueCheck> untold() {
      return real.untold();
    }

    @Override
    public void told(DueCheck givenUp) {
      real.told(givenUp);
    }
  }

  /** A desk likewise. */
  private static class PlantedDesk implements HalfMessageDesk {
    private final HalfMessageDesk real;

    PlantedDesk(HalfMessageDesk real) {
      this.real = real;
    }

    @Override
    public List<HalfDetails> unresolved(long after, int limit) {
      return real.unresolved(after, limit);
    }

    @Override
    public List<HalfDetails> undecided(Duration olderThan, long after, int limit) {
      return real.undecided(olderThan, after, limit);
    }

    @Override
    public Optional<HalfDetails> find(HalfKey key) {
      return real.find(key);
    }

    @Override
    public List<OperatorDecision> acts(HalfKey key) {
      return real.acts(key);
    }

    @Override
    public HalfBacklog backlog() {
      return real.backlog();
    }

    @Override
    public HalfState act(HalfKey key, HalfStep step, String by, String reason) {
      return real.act(key, step, by, reason);
    }
  }
}
