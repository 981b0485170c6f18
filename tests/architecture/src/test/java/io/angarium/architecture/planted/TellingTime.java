package io.angarium.architecture.planted;

import java.time.Duration;
import java.util.function.Function;
import org.slf4j.Logger;

final class TellingTime {
  private TellingTime() {}

  static final class ByConcatenation {
    static String text(Duration limit) {
      return "no answer within " + limit;
    }
  }

  static final class ByFormat {
    static String text(Duration limit) {
      return "%s has not ended after %s".formatted("work", limit);
    }
  }

  static final class ByLog {
    static void tell(Logger log, Duration limit) {
      log.warn("{} has not ended after {}", "work", limit);
    }
  }

  static final class ByLongLog {
    static void tell(Logger log, Duration limit) {
      log.warn("{} has not ended after {}: {}", "work", limit, "it hangs");
    }
  }

  static final class ByCall {
    static String text(Duration limit) {
      return String.valueOf(limit);
    }
  }

  static final class ByReference {
    static Function<Duration, String> text() {
      return Duration::toString;
    }
  }

  static final class InMillis {
    static String text(Duration limit) {
      return "no answer within " + limit.toMillis() + "ms";
    }
  }

  /** A description of itself. */
  record Limits(Duration limit) {
    @Override
    public String toString() {
      return "Limits[limit=" + limit + "]";
    }
  }
}
