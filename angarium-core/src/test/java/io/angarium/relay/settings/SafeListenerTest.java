package io.angarium.relay.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SafeListenerTest {
  private final List<Integer> heard = new ArrayList<>();
  private final RelayListener hearing =
      new RelayListener() {
        @Override
        public void leaseTaken(int partition) {
          heard.add(partition);
        }
      };

  @Test
  void listenerThatThrowsIsKeptFromTheRelayAndFromTheOthers() {
    SafeListener safe = new SafeListener(List.of(throwing(), hearing));

    safe.leaseTaken(3);
    safe.leaseTaken(4);

    assertThat(heard).containsExactly(3, 4);
  }

  /** Of a library of another version, a check that fails, a stack that overflows. */
  @Test
  void listenerThatThrowsAnErrorIsKeptFromTheRelay() {
    for (Error thrown :
        List.of(
            new NoSuchMethodError("void Counter.increment()"),
            new AssertionError("on purpose"),
            new StackOverflowError())) {
      SafeListener safe = new SafeListener(List.of(throwing(thrown), hearing));

      safe.leaseTaken(3);
    }

    assertThat(heard).containsExactly(3, 3, 3);
  }

  /** If it did not override a method, that event would be dropped. */
  @Test
  void everyEventIsPassedOn() throws NoSuchMethodException {
    for (Method event : RelayListener.class.getMethods()) {
      if (event.isDefault()) {
        Method passing = SafeListener.class.getMethod(event.getName(), event.getParameterTypes());

        assertThat(passing.getDeclaringClass()).as(event.getName()).isEqualTo(SafeListener.class);
      }
    }
  }

  private static RelayListener throwing(Error thrown) {
    return new RelayListener() {
      @Override
      public void leaseTaken(int partition) {
        throw thrown;
      }
    };
  }

  private static RelayListener throwing() {
    return new RelayListener() {
      @Override
      public void leaseTaken(int partition) {
        throw new IllegalStateException("on purpose");
      }
    };
  }
}
