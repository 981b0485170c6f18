package io.angarium.benchmarks.harness;

import static io.angarium.benchmarks.harness.Goal.atLeast;
import static io.angarium.benchmarks.harness.Goal.atMost;

import io.angarium.benchmarks.arm.InboxForm;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

/** What the inbox is to reach. */
final class InboxGoals {
  private static final String NUMBER = "C1";

  private InboxGoals() {}

  static List<Goal> all() {
    List<Goal> goals = new ArrayList<>();
    for (InboxForm form : List.of(InboxForm.SINGLE, InboxForm.FOLDED)) {
      goals.add(
          atMost(
              NUMBER,
              "inbox, " + form.key() + ", CPU of the transaction without one",
              1.25,
              r -> r.against(Contestant.BARE, "inbox", form.key(), InboxScenario.CPU)));
    }
    goals.add(
        atMost(
            NUMBER,
            "inbox, batched, database CPU us/msg above the batch without one",
            5,
            InboxGoals::batch));
    for (InboxForm form : InboxForm.values()) {
      goals.add(
          atLeast(
              NUMBER,
              "inbox, " + form.key() + ", speed of the one by hand",
              0.9,
              r -> r.against(Contestant.RAW_INBOX, "inbox", form.key(), "messages/s")));
    }
    return goals;
  }

  private static OptionalDouble batch(Lookup results) {
    String form = InboxForm.BATCHED.key();
    String metric = "database CPU us/msg";
    return results.database().equals("PostgreSQL")
        ? Lookup.cost(
            results.ours("inbox", form, metric),
            results.cell("inbox", Contestant.BARE, form, metric))
        : OptionalDouble.empty();
  }
}
