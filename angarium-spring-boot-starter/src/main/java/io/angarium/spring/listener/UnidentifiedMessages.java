package io.angarium.spring.listener;

import io.angarium.internal.DurationText;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;

/**
 * Messages that can never be processed, as nothing identifies them. Some containers give such a
 * message back to its queue, which delivers it again at once: it is rejected where its queue is
 * known to have a dead-letter exchange, and else comes again after a pause. Thread-safe.
 */
final class UnidentifiedMessages {
  private static final Logger LOG = LoggerFactory.getLogger(UnidentifiedMessages.class);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final ListableBeanFactory beans;
  private final boolean givenBackAtOnce;
  private final Duration pause;
  private final Set<String> told = ConcurrentHashMap.newKeySet();

  /**
   * Creates one.
   *
   * @param givenBackAtOnce false if the container of the listener pauses by itself, or gives up
   */
  UnidentifiedMessages(ListableBeanFactory beans, boolean givenBackAtOnce) {
    this(beans, givenBackAtOnce, PAUSE);
  }

  /** With another pause. */
  UnidentifiedMessages(ListableBeanFactory beans, boolean givenBackAtOnce, Duration pause) {
    this.beans = beans;
    this.givenBackAtOnce = givenBackAtOnce;
    this.pause = pause;
  }

  /**
   * What is thrown to the container. Blocks for the pause if the message, or a batch with it, has
   * come before, or may have.
   *
   * @param message null if it is not known which one it is
   * @param single false for one of a batch, which is not rejected: the others would go with it
   */
  RuntimeException failure(
      UnidentifiedMessageException failure, @Nullable Object message, boolean single) {
    if (!givenBackAtOnce) {
      return failure;
    }
    String queue = message == null ? null : AmqpDelivery.queue(message);
    if (queue != null && single && AmqpDelivery.hasDeadLetters(beans, queue)) {
      return AmqpDelivery.rejected(failure);
    }
    if (message == null || !single || AmqpDelivery.mayBeRepeated(message)) {
      tell(queue == null ? "an unknown queue" : "queue " + queue, failure);
      LockSupport.parkNanos(this, pause.toNanos());
    }
    return failure;
  }

  private void tell(String queue, UnidentifiedMessageException failure) {
    if (told.add(queue)) {
      LOG.warn(
          "A message that can never be processed comes again and again from {}; the listener pauses"
              + " for {} each time. Declare a dead-letter exchange for the queue as a bean of Queue,"
              + " and it is rejected: {}",
          queue,
          DurationText.of(pause),
          failure.getMessage());
    }
  }
}
