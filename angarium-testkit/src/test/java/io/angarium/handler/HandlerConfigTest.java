package io.angarium.handler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.ConfigurationException;
import io.angarium.testkit.memory.InMemoryInbox;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ListAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HandlerConfigTest {
  @Test
  void listsAllFaultsAtOnce() {
    assertFaults(() -> new HandlerConfig(0, 0, Duration.ZERO, Duration.ofMinutes(6)))
        .containsExactly(
            "handler.threads: 0 (expected: 1..256)",
            "handler.waiting: 0 (expected: 1..100000)",
            "handler.timeout: 0s (expected: 100ms..5m)",
            "handler.hold-max: 6m (expected: 100ms..5m)");
  }

  @Test
  void eachCopyChangesItsPartOnly() {
    HandlerConfig config =
        HandlerConfig.DEFAULTS
            .threads(1)
            .waiting(2)
            .timeout(Duration.ofSeconds(3))
            .hold(Duration.ofSeconds(4));

    assertThat(config)
        .isEqualTo(new HandlerConfig(1, 2, Duration.ofSeconds(3), Duration.ofSeconds(4)));
  }

  @Test
  void allNamesThatAreWrongAreListedAtOnce() {
    String type = "' of " + NamedHandler.class.getName();
    assertFaults(() -> open("orders", "Orders", "stock", "orders", ""))
        .containsExactly(
            "handler: 'Orders" + type + " (expected: a name of 1..64 of a-z, 0-9, '-', '.')",
            "handler: 'orders" + type + " (expected: each name once)",
            "handler: '" + type + " (expected: a name of 1..64 of a-z, 0-9, '-', '.')");
  }

  @Test
  void doesNotTakeNothing() {
    assertFaults(HandlerConfigTest::open)
        .containsExactly("handler: none (expected: at least one handler)");
  }

  @ParameterizedTest
  @ValueSource(strings = {"a b", "a/b", "a_b", "-a", ".a", "\u00e4", "a:b"})
  void doesNotTakeOtherFormsOfNames(String name) {
    assertFaults(() -> open(name)).singleElement().asString().contains("'" + name + "'");
  }

  @Test
  void takesNamesUpToTheLimit() {
    open("h".repeat(64), "4", "stock.reserve-2");

    assertFaults(() -> open("h".repeat(65))).hasSize(1);
  }

  private static void open(String... names) {
    List<NamedHandler> handlers = new ArrayList<>();
    for (String name : names) {
      handlers.add(NamedHandler.of(name, (writes, delivery) -> {}));
    }
    HandlerTransport.open(new InMemoryInbox(), handlers, HandlerConfig.DEFAULTS).close();
  }

  private static ListAssert<String> assertFaults(ThrowingCallable wrong) {
    ConfigurationException failure = catchThrowableOfType(ConfigurationException.class, wrong);
    assertThat(failure).as("was taken").isNotNull();
    return assertThat(failure.faults());
  }
}
