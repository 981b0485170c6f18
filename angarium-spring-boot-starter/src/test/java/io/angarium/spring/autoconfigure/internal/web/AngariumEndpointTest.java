package io.angarium.spring.autoconfigure.internal.web;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.deadletter.DeadLetters;
import io.angarium.deadletter.Decision;
import io.angarium.deadletter.RequeueProgress;
import java.lang.reflect.Proxy;
import java.security.Principal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.SecurityContext;

/** What a requeue over the Actuator asks for, and in whose name it is made. */
class AngariumEndpointTest {
  private static final RequeueProgress DONE = new RequeueProgress(1, 0, 1, Instant.EPOCH, null);

  private final List<Decision> decisions = new ArrayList<>();
  private final DeadLetters dead =
      (DeadLetters)
          Proxy.newProxyInstance(
              DeadLetters.class.getClassLoader(),
              new Class<?>[] {DeadLetters.class},
              (proxy, method, arguments) -> {
                decisions.add((Decision) arguments[3]);
                return DONE;
              });
  private final AngariumEndpoint endpoint =
      new AngariumEndpoint(null, null, new DeadLetterDesk(dead));

  @Test
  void nameThatIsLongerThanItsColumnIsCut() {
    requeue("n".repeat(200), "dead-letters", null, null);
    requeue("ann", "dead-letters", null, null);

    assertThat(decisions)
        .extracting(Decision::by)
        .containsExactly("n".repeat(Decision.BY_LENGTH_MAX - 1) + "…", "ann");
  }

  @Test
  void anotherSelectorAndACursorWithoutItsInstantAreRefused() {
    assertRefused("payloads", null, null, "dead-letters");
    assertRefused("dead-letters", null, "1.1", "to: none");
    assertThat(decisions).isEmpty();

    requeue("ann", "dead-letters", "2026-11-26T12:03:04Z", "1.1");
    assertThat(decisions).hasSize(1);
  }

  private void assertRefused(String what, String to, String cursor, String told) {
    assertThatThrownBy(() -> requeue("ann", what, to, cursor))
        .isInstanceOfSatisfying(
            InvalidEndpointRequestException.class,
            refusal -> assertThat(refusal.getReason()).contains(told));
  }

  private void requeue(String name, String what, String to, String cursor) {
    endpoint.requeue(new Named(name), what, "why", null, "*", null, null, null, null, to, cursor);
  }

  private record Named(String name) implements SecurityContext {
    @Override
    public Principal getPrincipal() {
      return () -> name;
    }

    @Override
    public boolean isUserInRole(String role) {
      return false;
    }
  }
}
