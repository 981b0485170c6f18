package io.angarium.spring.listener;

import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxKey;
import io.angarium.spring.listener.internal.container.RabbitAnnotation;
import io.angarium.spring.listener.internal.form.MessageArguments;
import io.angarium.spring.listener.internal.form.MessageArguments.Found;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.function.SingletonSupplier;

/** Reads what a method declares, and gathers what is wrong with it. */
final class ListenerReader {
  private static final String AMQP = "org.springframework.amqp.core.Message";
  private static final String JMS = "org.springframework.jms.annotation.JmsListener";

  private final ConfigurableListableBeanFactory beans;
  private final MessageArguments messages;
  private final List<String> faults;

  /**
   * Creates one.
   *
   * @param faults what is wrong is added to it
   */
  ListenerReader(
      ConfigurableListableBeanFactory beans, MessageArguments messages, List<String> faults) {
    this.beans = beans;
    this.messages = messages;
    this.faults = faults;
  }

  /** Empty if it has faults. */
  Optional<Listener> read(Method method, Class<?> type, IdempotentConsumer declared) {
    List<String> own = new ArrayList<>(ListenerFaults.of(method, type));
    String name = type.getSimpleName() + "." + method.getName();
    String consumer = consumer(declared, own);
    Found found = messages.in(method, type);
    KeySource keys = new KeyReader(beans, method, declared, found, consumer, own).read();
    own.forEach(fault -> faults.add(fault(name, fault)));
    return own.isEmpty()
        ? Optional.of(
            new Listener(
                name,
                method.getDeclaringClass().getName(),
                consumer,
                declared.shared(),
                inbox(declared),
                keys,
                found.form(),
                found.packing(),
                found.position(),
                new Reporting(beans, keys, found, consumer),
                new ListenerOutcome(method.getReturnType()),
                new UnidentifiedMessages(beans, isGivenBackAtOnce(method, type, found))))
        : Optional.empty();
  }

  static String fault(String name, String fault) {
    return "@IdempotentConsumer at " + name + ": " + fault;
  }

  private String consumer(IdempotentConsumer declared, List<String> own) {
    String name = declared.consumer();
    try {
      String resolved = beans.resolveEmbeddedValue(name);
      name = resolved == null ? name : resolved;
      if (name.contains("${")) {
        own.add("consumer: '" + name + "' (expected: placeholders of properties that exist)");
      }
      return new InboxKey(name, new UUID(0, 0)).consumer();
    } catch (IllegalArgumentException e) {
      own.add(String.valueOf(e.getMessage()));
      return "unknown"; // the start stops
    }
  }

  private Supplier<Inbox<?>> inbox(IdempotentConsumer declared) {
    String name = declared.inbox();
    return SingletonSupplier.of(
        () -> name.isBlank() ? beans.getBean(Inbox.class) : beans.getBean(name, Inbox.class));
  }

  /**
   * Returns whether a message that is given back comes again at once, as on RabbitMQ and over JMS.
   * Kafka's containers try a record a few times; RocketMQ's containers and a relay pause.
   */
  private static boolean isGivenBackAtOnce(Method method, Class<?> type, Found found) {
    return RabbitAnnotation.of(method, type).present()
        || found.form().type().getName().equals(AMQP)
        || Stream.of(method, type)
            .anyMatch(element -> AnnotatedElementUtils.isAnnotated(element, JMS));
  }
}
