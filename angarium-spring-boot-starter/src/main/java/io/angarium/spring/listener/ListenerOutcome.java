package io.angarium.spring.listener;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What the value means that a listener returns. */
final class ListenerOutcome {
  private static final Set<String> STATUS =
      Set.of(
          "org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyStatus",
          "org.apache.rocketmq.client.consumer.listener.ConsumeOrderlyStatus");
  private static final Set<String> DONE = Set.of("CONSUME_SUCCESS", "SUCCESS", "COMMIT");

  private final Class<?> type;
  private final boolean status;

  ListenerOutcome(Class<?> type) {
    this.type = type;
    this.status = STATUS.contains(type.getName());
  }

  /** Whether it is one of RocketMQ. */
  boolean isStatus() {
    return status;
  }

  /** Whether it asks for another delivery, as null and RECONSUME_LATER do. */
  boolean isFailure(@Nullable Object returned) {
    return status && !(returned instanceof Enum<?> given && DONE.contains(given.name()));
  }

  /** What is returned for a repeat. */
  @Nullable Object ofRepeat() {
    if (!status) {
      return null;
    }
    for (Object constant : type.getEnumConstants()) {
      if (!isFailure(constant)) {
        return constant;
      }
    }
    throw new IllegalStateException(type + " has no status for success");
  }
}
