package io.angarium.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Several relays, producers, a database and a broker in one thread, driven by a seed: late commits,
 * rollbacks, crashes at every call, lost leases, pauses, lost acknowledgements, outages, refusals
 * and poison. {@code -Dangarium.seed=<n>} runs that seed alone, {@code -Dangarium.seeds=<n>} so
 * many.
 */
class RelaySimulationTest {
  private static final int SEEDS = Integer.getInteger("angarium.seeds", 1_000);

  private static final int WIDE_SEEDS = Integer.getInteger("angarium.seeds", 500);

  /** A mutant that survives so many seeds survives. */
  private static final int MUTANT_SEEDS = 1_000;

  private static final int REPEATED_SEEDS = 50;

  private static final int FEW_SEEDS = Integer.getInteger("angarium.seeds", 100);

  @Test
  void everyCommittedMessageArrivesInOrderWhateverHappens() {
    Long only = Long.getLong("angarium.seed");
    long messages = 0;
    for (long seed = only == null ? 1 : only; seed <= (only == null ? SEEDS : only); seed++) {
      Simulation simulation = new Simulation(seed, Mutant.NONE);
      messages += verified(simulation, seed);
    }

    assertThat(messages).isPositive();
  }

  @Test
  void whateverFaultsMeetEveryCommittedMessageArrivesInOrder() {
    Long only = Long.getLong("angarium.seed");
    for (long seed = only == null ? 1 : only; seed <= (only == null ? WIDE_SEEDS : only); seed++) {
      verified(Simulation.wide(seed, Mutant.NONE), seed);
    }
  }

  /** Each of these once showed a fault of the relay that the seeds above overlook. */
  @ParameterizedTest
  @ValueSource(
      longs = {
        1498, 2149, 2722, 3296, 4799, 6568, 7546, 9240, 11914, 12488, 13586, 19058, 19632, 20389,
        33341, 34805
      })
  void formerFaultStaysMended(long seed) {
    verified(new Simulation(seed, Mutant.NONE), seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {61, 1677, 2338})
  void formerFaultOfManyAtOnceStaysMended(long seed) {
    verified(Simulation.wideEarlier(seed, Mutant.NONE), seed);
  }

  @ParameterizedTest
  @ValueSource(longs = {94660})
  void formerFaultAmongTwoServicesStaysMended(long seed) {
    verified(Simulation.wide(seed, Mutant.NONE), seed);
  }

  /**
   * A node lacks the transport of a second service, one has it, and one comes with it or without.
   */
  @Test
  void messagesOfTwoServicesOnOneOutboxArriveInOrderWhicheverNodesComeAndGo() {
    Long only = Long.getLong("angarium.seed");
    for (long seed = only == null ? 1 : only; seed <= (only == null ? FEW_SEEDS : only); seed++) {
      verified(new Simulation(seed, Mutant.NONE, Rates.TWO_SERVICES), seed);
    }
  }

  /**
   * Nothing is sent while its destination is paused, nor after its burial; and all else arrives.
   */
  @Test
  void pausesLoseDisorderAndUseUpNothing() {
    Long only = Long.getLong("angarium.seed");
    int burials = 0;
    for (long seed = only == null ? 1 : only; seed <= (only == null ? FEW_SEEDS : only); seed++) {
      Simulation simulation = Simulation.pausing(seed, Mutant.NONE);
      verified(simulation, seed);
      burials += simulation.burials();
    }

    assertThat(burials).isPositive();
  }

  @Test
  void aRunRepeatsExactly() {
    for (long seed = 1; seed <= REPEATED_SEEDS; seed++) {
      Simulation first = Simulation.wide(seed, Mutant.NONE);
      Simulation again = Simulation.wide(seed, Mutant.NONE);
      first.run();
      again.run();

      assertThat(again.notes()).as("seed %d", seed).isEqualTo(first.notes());
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "NONE")
  @Tag("once") // of the simulation, which no other JDK changes
  void plantedFaultIsNoticed(Mutant mutant) {
    for (long seed = 1; seed <= MUTANT_SEEDS; seed++) {
      Simulation simulation =
          mutant.pausing()
              ? Simulation.pausing(seed, mutant)
              : new Simulation(seed, mutant, mutant.rates());
      if (!simulation.run().isEmpty()) {
        return;
      }
    }
    fail("%s survived %d seeds", mutant, MUTANT_SEEDS);
  }

  private static long verified(Simulation simulation, long seed) {
    try {
      assertThat(simulation.run())
          .as("seed %d; run it alone with -Dangarium.seed=%d", seed, seed)
          .isEmpty();
    } catch (RuntimeException e) {
      throw new AssertionError("seed " + seed + " threw; run it with -Dangarium.seed=" + seed, e);
    }
    return simulation.messages();
  }
}
