package io.angarium.spring.listener;

import io.angarium.confirmation.Receipts;
import io.angarium.inbox.Inbox;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.spring.AsyncWork;
import io.angarium.spring.DeclaredTransaction;
import io.angarium.spring.SpringInbox;
import io.angarium.spring.SpringRedisInbox;
import io.angarium.spring.listener.internal.container.ContainerTransactions;
import io.angarium.spring.listener.internal.container.RabbitAnnotation;
import io.angarium.spring.listener.internal.container.RabbitContainers;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.ClassUtils;

/** What is wrong with listeners as beans among others; known when all beans are there. */
final class BeanFaults {
  private static final boolean TRANSACTIONS =
      ClassUtils.isPresent(
          "org.springframework.transaction.interceptor.TransactionAspectSupport",
          BeanFaults.class.getClassLoader());

  /** Modes that acknowledge early: MANUAL perhaps before the commit, NONE before processing. */
  private static final Set<String> ACKNOWLEDGED_EARLY = Set.of("MANUAL", "NONE");

  private final ConfigurableListableBeanFactory beans;
  private final List<String> faults = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  private BeanFaults(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  /**
   * Finds the faults of listeners that are well declared by themselves.
   *
   * @param types the methods of the listeners, by the class of the bean
   */
  static BeanFaults of(
      ConfigurableListableBeanFactory beans, Map<Class<?>, Map<Method, Listener>> types) {
    BeanFaults found = new BeanFaults(beans);
    types.forEach(
        (type, listeners) ->
            listeners.forEach((method, listener) -> found.look(method, type, listener)));
    found.handedOver(types);
    found.sharedConsumers(
        types.values().stream().flatMap(listeners -> listeners.values().stream()).toList());
    return found;
  }

  /** What stops the start. */
  List<String> faults() {
    return faults;
  }

  /** What may be meant so. */
  List<String> warnings() {
    return warnings;
  }

  private void look(Method method, Class<?> type, Listener listener) {
    Inbox<?> inbox = inbox(listener);
    if (inbox != null && TRANSACTIONS) {
      OnTransactions.fault(beans, method, type, inbox).ifPresent(fault -> add(listener, fault));
    }
    if (inbox != null) {
      ContainerTransactions.transaction(beans, method, type)
          .ifPresent(transaction -> inTransaction(listener, inbox, transaction));
    }
    acknowledging(RabbitAnnotation.of(method, type), listener);
    if (!listener.isReported() && beans.getBeanNamesForType(Receipts.class).length > 0) {
      add(
          listener,
          "a key, and no message, though angarium.confirmation.report-to is set (expected: a whole"
              + " message as argument, e.g. Message<T>, or a @Header(\"angarium-id\") besides, as"
              + " its sender is told of its id and makes what it hears nothing of a dead letter)");
    }
  }

  /** It ends after the inbox has noted the message, so a failure loses what was sent in it. */
  private void inTransaction(Listener listener, Inbox<?> inbox, String transaction) {
    if (inbox instanceof SpringRedisInbox) {
      add(
          listener,
          transaction
              + " of its container (expected: none, as that transaction ends after the inbox on"
              + " Redis has noted the message: if it fails, what the listener has sent in it is"
              + " lost; give the listener a containerFactory without it)");
    } else {
      warnings.add(listener.name() + " in a transaction of its broker (" + transaction + ")");
    }
  }

  private void add(Listener listener, String fault) {
    faults.add(ListenerReader.fault(listener.name(), fault));
  }

  private @Nullable Inbox<?> inbox(Listener listener) {
    try {
      Inbox<?> inbox = listener.inbox().get();
      if (inbox instanceof JdbcInbox) {
        add(listener, "inbox: JdbcInbox (expected: SpringInbox, whose transaction it joins)");
      }
      return inbox;
    } catch (BeansException e) {
      add(
          listener,
          "no inbox (expected: angarium.inbox.enabled=true, or one bean of Inbox, or its name at"
              + " inbox; "
              + e.getMessage()
              + ")");
      return null;
    }
  }

  private void acknowledging(RabbitAnnotation declared, Listener listener) {
    String mode = declared.present() ? RabbitContainers.ackMode(beans, declared) : "";
    if (ACKNOWLEDGED_EARLY.contains(mode)) {
      add(
          listener,
          "ackMode "
              + mode
              + " of its annotation or container (expected: AUTO, that the container acknowledges"
              + " after the commit)");
    }
  }

  /** By advice that is put around them later, whatever annotation asked for it. */
  private void handedOver(Map<Class<?>, Map<Method, Listener>> types) {
    for (String name : beans.getSingletonNames()) {
      Object bean = beans.getSingleton(name);
      Map<Method, Listener> listeners =
          bean == null ? null : types.get(AopUtils.getTargetClass(bean));
      if (bean != null && listeners != null) {
        listeners.forEach(
            (method, listener) -> {
              if (AsyncWork.isHandedOver(bean, method)) {
                add(
                    listener,
                    "run on another thread (expected: not to be, as its work is done when it"
                        + " returns)");
              }
            });
      }
    }
  }

  private void sharedConsumers(List<Listener> listeners) {
    Map<String, TreeMap<String, String>> consumers = new TreeMap<>();
    for (Listener listener : listeners) {
      if (!listener.shared()) {
        consumers
            .computeIfAbsent(listener.consumer(), name -> new TreeMap<>())
            .put(listener.owner(), listener.name());
      }
    }
    consumers.entrySet().stream()
        .filter(consumer -> consumer.getValue().size() > 1)
        .map(
            consumer ->
                "@IdempotentConsumer(consumer = \""
                    + consumer.getKey()
                    + "\") at "
                    + String.join(", ", consumer.getValue().values())
                    + " (expected: a name for each, since what one has processed is kept from the"
                    + " others; or shared = true at each)")
        .forEach(faults::add);
  }

  /** Loaded only where there are transactions of Spring. */
  private static final class OnTransactions {
    static Optional<String> fault(
        ConfigurableListableBeanFactory beans, Method method, Class<?> type, Inbox<?> inbox) {
      if (!(inbox instanceof SpringInbox its)) {
        return Optional.empty(); // it has no transaction, or one that nobody knows
      }
      try {
        return DeclaredTransaction.of(beans, method, type)
            .filter(declared -> declared.isRead(beans))
            .flatMap(declared -> declared.fault(beans, its::isJoinedBy, "of the inbox"));
      } catch (IllegalArgumentException e) {
        return Optional.of(
            "@Transactional: " + e.getMessage() + " (expected: what can be resolved)");
      }
    }
  }
}
