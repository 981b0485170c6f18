package io.angarium.spring.listener.internal.form;

import java.util.List;

/** How an argument holds messages. */
public sealed interface Packing {
  /** The messages in it. */
  List<?> messages(Object argument);

  /** The same argument with those only. */
  Object of(List<?> messages);

  /** Whether it is for several. */
  default boolean many() {
    return true;
  }

  /** The argument is the message. */
  record One() implements Packing {
    @Override
    public List<?> messages(Object argument) {
      return List.of(argument);
    }

    @Override
    public Object of(List<?> messages) {
      return messages.get(0);
    }

    @Override
    public boolean many() {
      return false;
    }
  }

  /** The argument is a list of them. */
  record InList() implements Packing {
    @Override
    public List<?> messages(Object argument) {
      return (List<?>) argument;
    }

    @Override
    public Object of(List<?> messages) {
      return messages;
    }
  }

  /** The argument is what Kafka's client polled. */
  record Polled() implements Packing {
    @Override
    public List<?> messages(Object argument) {
      return KafkaArguments.list(argument);
    }

    @Override
    public Object of(List<?> messages) {
      return KafkaArguments.polled(messages);
    }
  }
}
