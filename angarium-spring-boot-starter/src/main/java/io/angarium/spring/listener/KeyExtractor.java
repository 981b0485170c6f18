package io.angarium.spring.listener;

import java.util.Optional;

/**
 * Tells what identifies a message of somebody else, for {@link IdempotentConsumer#extractor}. A
 * bean of the application. Thread-safe.
 *
 * @param <M> what listeners are given, e.g. a {@code ConsumerRecord} of Kafka; in a batch one of
 *     the list
 */
@FunctionalInterface
public interface KeyExtractor<M> {
  /**
   * Finds it; the same text each time a message comes, and another for each other message.
   *
   * @return empty if the message has none, which ends with {@link UnidentifiedMessageException}
   */
  Optional<String> keyOf(M message);
}
