package io.angarium.testkit.tck;

import io.angarium.MessageId;
import io.angarium.desk.ActBy;
import io.angarium.desk.BoundedCount;
import io.angarium.desk.MessageFilter;
import io.angarium.operation.Operation;
import io.angarium.operation.Operation.Refusal;
import io.angarium.operation.OperationPlan;
import io.angarium.operation.OperationScope;
import io.angarium.testkit.operation.InMemoryOperations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Known ways to get operations wrong, and the test of the contract that must notice. */
enum OperationMutant {
  NONE("") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return new PlantedOperations<>(real);
    }
  },
  IGNORES_THE_FILTER("stepChangesNoMoreThanItMayAndMessagesThatFit") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return planning(real, plan -> with(plan, MessageFilter.ALL));
    }
  },
  IGNORES_THE_SCOPE("scopeHoldsForEveryMessage") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return planning(real, plan -> plan.scope(OperationScope.ALL));
    }
  },
  GOES_ON_TO_ITS_BEGIN("messagesThatDieLaterAreNotTouched") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return planning(real, plan -> plan.until(plan.until().plusSeconds(60)));
    }
  },
  RESTORES_WHATEVER_IS_DISCARDED("undoBringsBackExactlyWhatTheOperationDiscarded") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return planning(real, plan -> plan.undoes() == null ? plan : withoutUndo(plan));
    }
  },
  STARTS_AT_ONCE("nothingHappensBeforeItsStart") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return planning(real, plan -> plan.delay(Duration.ZERO));
    }
  },
  FORGETS_THE_FIRST_FEW("firstFewAreDoneAndTheRestWhenItIsResumed") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return planning(real, plan -> plan.firstFew(0));
    }
  },
  KNOWS_NO_LIMIT("operationStopsAtTheMostMessagesThatItMayChange") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return planning(real, plan -> plan.messagesMax(Long.MAX_VALUE));
    }
  },
  TAKES_WHAT_ANOTHER_HOLDS("twoNodesNeverHoldTheSameOperation") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return new PlantedOperations<>(real) {
        @Override
        public List<Turn> take(String node, Duration lease) {
          return super.take(node, Duration.ZERO);
        }
      };
    }
  },
  PROLONGS_NO_LEASE("stepProlongsTheLease") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return new PlantedOperations<>(real) {
        @Override
        public Optional<Operation> step(
            Turn turn, int messagesMax, Duration lease, @Nullable String refusal) {
          return super.step(turn, messagesMax, Duration.ZERO, refusal);
        }
      };
    }
  },
  DOES_NOT_FENCE("nodeThatLostItsLeaseChangesNothing") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return new PlantedOperations<>(real) {
        private final Map<UUID, Turn> latest = new HashMap<>();

        @Override
        public List<Turn> take(String node, Duration lease) {
          List<Turn> turns = super.take(node, lease);
          turns.forEach(turn -> latest.put(turn.operation(), turn));
          return turns;
        }

        @Override
        public Optional<Operation> step(
            Turn turn, int messagesMax, Duration lease, @Nullable String refusal) {
          Turn last = latest.getOrDefault(turn.operation(), turn);
          return super.step(last, messagesMax, lease, refusal);
        }
      };
    }
  },
  REPEATS_A_STEP("stepChangesNoMoreThanItMayAndMessagesThatFit") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return new PlantedOperations<>(real) {
        @Override
        public Optional<Operation> step(
            Turn turn, int messagesMax, Duration lease, @Nullable String refusal) {
          Optional<Operation> after = super.step(turn, messagesMax, lease, refusal);
          return after.isPresent() && !after.get().state().isEnd()
              ? super.step(turn, messagesMax, lease, refusal)
              : after;
        }
      };
    }
  },
  ACTS_ON_WHAT_IS_REFUSED("messagesThatTheDatabaseRefusesAreLeftAlone") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return new PlantedOperations<>(real) {
        @Override
        public Optional<Operation> step(
            Turn turn, int messagesMax, Duration lease, @Nullable String refusal) {
          return super.step(turn, messagesMax, lease, null);
        }
      };
    }
  },
  KEEPS_THE_LEASE("releasedOperationIsTakenAtOnce") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return new PlantedOperations<>(real) {
        @Override
        public void release(Turn turn) {}
      };
    }
  },
  CANCELS_BY_A_PAUSE("cancelledOperationChangesNothingMore") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return new PlantedOperations<>(real) {
        @Override
        public boolean change(UUID id, Change change, ActBy by) {
          return super.change(id, change == Change.CANCEL ? Change.PAUSE : change, by);
        }
      };
    }
  },
  LISTS_THE_OLDEST_FIRST("newestOperationsComeFirst") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return new PlantedOperations<>(real) {
        @Override
        public List<Operation> newest(int limit) {
          List<Operation> all = new ArrayList<>(super.newest(limit));
          Collections.reverse(all);
          return all;
        }
      };
    }
  },
  COUNTS_EVERY_NEW_DEATH("messagesThatAreDeadAgainAreCounted") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return new PlantedOperations<>(real) {
        @Override
        public BoundedCount diedAgain(UUID id) {
          BoundedCount count = super.diedAgain(id);
          return count.count() == 0 ? count : new BoundedCount(2, false);
        }
      };
    }
  },
  KEEPS_NO_REASONS("refusedMessagesAreCountedAndKeptWithTheirReasons") {
    @Override
    PlantedOperations<InMemoryOperations> plant(InMemoryOperations real) {
      return new PlantedOperations<>(real) {
        @Override
        public List<Refusal> refusals(UUID id) {
          return super.refusals(id).stream()
              .map(Refusal::id)
              .map((MessageId each) -> new Refusal(each, ""))
              .toList();
        }
      };
    }
  };

  private final String noticedBy;

  OperationMutant(String noticedBy) {
    this.noticedBy = noticedBy;
  }

  String noticedBy() {
    return noticedBy;
  }

  abstract PlantedOperations<InMemoryOperations> plant(InMemoryOperations real);

  /** Begins another operation than was wanted, and says that it is the one. */
  private static PlantedOperations<InMemoryOperations> planning(
      InMemoryOperations real, UnaryOperator<OperationPlan> other) {
    return new PlantedOperations<>(real) {
      @Override
      public Operation begin(OperationPlan plan) {
        return super.begin(other.apply(plan));
      }
    };
  }

  private static OperationPlan with(OperationPlan plan, MessageFilter filter) {
    return OperationPlan.of(plan.id(), plan.kind(), filter, plan.until(), plan.by())
        .delay(plan.delay());
  }

  private static OperationPlan withoutUndo(OperationPlan plan) {
    return with(plan, plan.filter());
  }
}
