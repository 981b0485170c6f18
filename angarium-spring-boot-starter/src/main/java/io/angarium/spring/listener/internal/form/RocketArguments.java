package io.angarium.spring.listener.internal.form;

import org.apache.rocketmq.client.consumer.listener.ConsumeConcurrentlyContext;

/** What listeners of RocketMQ are given; loaded only where there is one. */
public final class RocketArguments {
  private RocketArguments() {}

  /**
   * Lets the client acknowledge the whole batch: the listener was given a part of it.
   *
   * @param messages how many it was given
   * @throws IllegalStateException if it acknowledged some of them only
   */
  public static void requireAll(String listener, Object[] arguments, int messages) {
    for (Object argument : arguments) {
      if (argument instanceof ConsumeConcurrentlyContext context) {
        if (context.getAckIndex() < messages - 1) {
          throw new IllegalStateException(
              listener
                  + " set ackIndex "
                  + context.getAckIndex()
                  + " for "
                  + messages
                  + " messages (expected: all or none, as they are one transaction); rolled back");
        }
        context.setAckIndex(Integer.MAX_VALUE);
      }
    }
  }
}
