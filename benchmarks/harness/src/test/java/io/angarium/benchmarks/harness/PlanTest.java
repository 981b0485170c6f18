package io.angarium.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PlanTest {
  @Test
  void theShortFormRunsNothingThatTakesMinutes() {
    assertThat(names("short", "all")).containsExactly("enqueue", "drain", "light", "flat-out");
  }

  @ParameterizedTest
  @ValueSource(strings = {"brokers", "inbox", "half", "nodes"})
  void whatTheShortFormLeavesOutRunsInItIfNamed(String name) {
    assertThat(names("short", name)).containsExactly(name);
  }

  @Test
  void theFullFormRunsEverything() {
    assertThat(names("full", "all"))
        .containsExactly(
            "cost",
            "enqueue",
            "drain",
            "light",
            "flat-out",
            "rate",
            "brokers",
            "inbox",
            "half",
            "backlog",
            "dead-rows",
            "history",
            "keys",
            "relays",
            "idle",
            "poison",
            "poison-steady",
            "payload",
            "nodes",
            "open-writer",
            "outage");
  }

  @Test
  void theSmokeFormLeavesOnlyTheRatesOut() {
    List<String> all = names("full", "all");

    assertThat(names("smoke", "all")).isSubsetOf(all).hasSize(all.size() - 1);
  }

  @Test
  void nameOfNoScenarioIsRefused() {
    assertThatThrownBy(() -> Plan.of("short").wanted(Set.of("drain", "outage")))
        .hasMessageContainingAll("[outage]", "short", "drain", "half");
  }

  private static List<String> names(String form, String wanted) {
    return Plan.of(form).wanted(Set.of(wanted)).stream().map(Scenario::name).distinct().toList();
  }
}
