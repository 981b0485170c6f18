package io.angarium.testkit.tck;

import io.angarium.Message;
import io.angarium.half.HalfMessages;
import java.time.Instant;
import java.util.List;

/**
 * One implementation of {@link HalfMessages} under test, on a database that knows no key. The suite
 * closes it after the test.
 */
public interface HalfMessagesFixture extends AutoCloseable {
  /** What is tested; the same at every call. Serves at least 8 threads at once. */
  HalfMessages half();

  /** The same database as another process would have it. */
  HalfMessages another();

  /**
   * The messages that are on their way to consumers, in any order, each as often as it is. A
   * delayed one is not sent before its {@link Message#notBefore}.
   */
  List<Message> sent();

  /** The time by the clock that delays are judged by; goes on. */
  Instant now();

  /** Frees what the fixture holds. */
  @Override
  void close();
}
