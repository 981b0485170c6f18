package io.angarium.spring.listener;

import io.angarium.ConfigurationException;
import io.angarium.inbox.Inbox;
import io.angarium.jdbc.JdbcInbox;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.util.ClassUtils;

/**
 * Puts beans with {@link IdempotentConsumer} behind a proxy that calls them through the inbox, and
 * stops the start if one is declared wrongly. The starter has it as a bean; elsewhere a static
 * method of a configuration declares it. Thread-safe.
 */
public final class IdempotentConsumers
    implements BeanPostProcessor, SmartInitializingSingleton, Ordered {
  /** After the proxies of transactions, to be around them; before listeners are registered. */
  private static final int ORDER = 0;

  private final ConfigurableListableBeanFactory beans;
  private final MessageArguments messages;
  private final Map<Class<?>, Map<Method, Listener>> types = new ConcurrentHashMap<>();
  private final List<String> faults = new ArrayList<>();
  private volatile boolean started;

  /**
   * Creates it; looks for no bean yet.
   *
   * @param beans where listeners, their inbox and extractors are
   */
  public IdempotentConsumers(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
    ClassLoader loader = beans.getBeanClassLoader();
    this.messages =
        new MessageArguments(loader == null ? ClassUtils.getDefaultClassLoader() : loader);
  }

  @Override
  public int getOrder() {
    return ORDER;
  }

  /**
   * Returns the bean, or a proxy of it.
   *
   * @throws ConfigurationException if a bean that is created after the start is declared wrongly
   */
  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    Class<?> type = AopUtils.getTargetClass(bean);
    if (!AnnotationUtils.isCandidateClass(type, IdempotentConsumer.class)) {
      return bean;
    }
    Map<Method, Listener> listeners = types.computeIfAbsent(type, this::read);
    if (started) {
      check();
    }
    return listeners.isEmpty() || isAdvised(bean)
        ? bean
        : proxy(bean, new ListenerAdvisor(listeners));
  }

  /** One that is declared as two beans, or as itself and what stands for it in its scope. */
  private static boolean isAdvised(Object bean) {
    return bean instanceof AopInfrastructureBean
        || (bean instanceof Advised advised
            && List.of(advised.getAdvisors()).stream().anyMatch(ListenerAdvisor.class::isInstance));
  }

  private Map<Method, Listener> read(Class<?> type) {
    Map<Method, IdempotentConsumer> declared =
        MethodIntrospector.selectMethods(
            type,
            (MethodIntrospector.MetadataLookup<IdempotentConsumer>)
                method ->
                    AnnotatedElementUtils.findMergedAnnotation(method, IdempotentConsumer.class));
    Map<Method, Listener> listeners = new HashMap<>();
    synchronized (faults) {
      ListenerReader reader = new ListenerReader(beans, messages, faults);
      declared.forEach(
          (method, annotation) ->
              reader
                  .read(method, type, annotation)
                  .ifPresent(listener -> listeners.put(method, listener)));
    }
    return listeners;
  }

  private static Object proxy(Object bean, ListenerAdvisor advisor) {
    if (bean instanceof Advised advised && !advised.isFrozen()) {
      advised.addAdvisor(0, advisor);
      return bean;
    }
    ProxyFactory factory = new ProxyFactory(bean);
    factory.setProxyTargetClass(true);
    factory.addAdvisor(advisor);
    return factory.getProxy(bean.getClass().getClassLoader());
  }

  /**
   * Called when all beans are there, before any container of listeners starts.
   *
   * @throws ConfigurationException if a listener is declared wrongly; lists all faults
   */
  @Override
  public void afterSingletonsInstantiated() {
    check();
    started = true;
  }

  private void check() {
    List<String> all;
    synchronized (faults) {
      all = new ArrayList<>(faults);
    }
    List<Listener> listeners =
        types.values().stream().flatMap(type -> type.values().stream()).toList();
    listeners.forEach(listener -> inboxFault(listener).ifPresent(all::add));
    all.addAll(sharedConsumers(listeners));
    if (!all.isEmpty()) {
      throw new ConfigurationException(all);
    }
  }

  private static Optional<String> inboxFault(Listener listener) {
    try {
      Inbox<?> inbox = listener.inbox().get();
      return inbox instanceof JdbcInbox
          ? fault(listener, "inbox: JdbcInbox (expected: SpringInbox, whose transaction it joins)")
          : Optional.empty();
    } catch (BeansException e) {
      return fault(
          listener,
          "no inbox (expected: angarium.inbox.enabled=true, or one bean of Inbox, or its name at"
              + " inbox; "
              + e.getMessage()
              + ")");
    }
  }

  private static Optional<String> fault(Listener listener, String text) {
    return Optional.of(ListenerReader.fault(listener.name(), text));
  }

  private static List<String> sharedConsumers(List<Listener> listeners) {
    Map<String, TreeMap<String, String>> consumers = new TreeMap<>();
    for (Listener listener : listeners) {
      if (!listener.shared()) {
        consumers
            .computeIfAbsent(listener.consumer(), name -> new TreeMap<>())
            .put(listener.owner(), listener.name());
      }
    }
    return consumers.entrySet().stream()
        .filter(consumer -> consumer.getValue().size() > 1)
        .map(
            consumer ->
                "@IdempotentConsumer(consumer = \""
                    + consumer.getKey()
                    + "\") at "
                    + String.join(", ", consumer.getValue().values())
                    + " (expected: a name for each, since what one has processed is kept from the"
                    + " others; or shared = true at each)")
        .toList();
  }
}
