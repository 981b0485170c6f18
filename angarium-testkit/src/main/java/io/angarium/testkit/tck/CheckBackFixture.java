package io.angarium.testkit.tck;

import io.angarium.Message;
import io.angarium.half.HalfMessages;
import io.angarium.half.check.CheckStore;
import io.angarium.half.decide.HalfMessageDesk;
import java.time.Duration;
import java.util.List;

/**
 * One implementation of {@link CheckStore} under test, with half messages in the same database that
 * knows no key. The suite closes it after the test.
 */
public interface CheckBackFixture extends AutoCloseable {
  /** The half messages that are asked for; the same at every call. */
  HalfMessages half();

  /** What is tested; the same at every call. */
  CheckStore store();

  /** The same list as another node would have it; a new one at every call. */
  CheckStore another();

  /** Where persons decide; the same at every call. */
  HalfMessageDesk desk();

  /** Lets time pass, by the clock that checks are due by. */
  void pass(Duration time);

  /** The messages that are on their way to consumers, in any order. */
  List<Message> sent();

  /** Frees what the fixture holds. */
  @Override
  void close();
}
