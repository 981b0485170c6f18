package io.angarium.spring.listener;

import io.angarium.ConfigurationException;
import io.angarium.spring.listener.internal.form.MessageArguments;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.support.AopUtils;
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

  private static final Logger LOG = LoggerFactory.getLogger(IdempotentConsumers.class);

  private final ConfigurableListableBeanFactory beans;
  private final MessageArguments messages;
  private final Map<Class<?>, Map<Method, Listener>> types = new ConcurrentHashMap<>();
  private final List<String> faults = new ArrayList<>();
  private final Set<String> warned = ConcurrentHashMap.newKeySet();
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
    BeanFaults found = BeanFaults.of(beans, types);
    all.addAll(found.faults());
    if (!all.isEmpty()) {
      throw new ConfigurationException(all);
    }
    found.warnings().stream().filter(warned::add).forEach(IdempotentConsumers::warn);
  }

  private static void warn(String listener) {
    LOG.warn(
        "The container calls {}, which ends after the inbox has committed: if it fails, what the"
            + " listener has sent in it is lost, as the message then is a repeat. Send through the"
            + " Outbox",
        listener);
  }
}
