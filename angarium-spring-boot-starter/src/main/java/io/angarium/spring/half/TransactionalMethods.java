package io.angarium.spring.half;

import io.angarium.ConfigurationException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.aop.framework.ProxyFactory;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
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
 * Puts beans with {@link TransactionalMessage} behind a proxy that calls them with their half
 * messages, and stops the start if one is declared wrongly. That call stands directly around the
 * transaction of Spring, or else directly around the method: what other advice refuses is not
 * prepared, and what other advice swallows has rolled back. The starter has it as a bean; elsewhere
 * a static method of a configuration declares it. Thread-safe.
 */
public final class TransactionalMethods
    implements BeanPostProcessor, SmartInitializingSingleton, Ordered {
  private static final Logger LOG = LoggerFactory.getLogger(TransactionalMethods.class);

  /** After the proxies of transactions; before listeners are registered. */
  private static final int ORDER = 0;

  private final ConfigurableListableBeanFactory beans;
  private final Map<Class<?>, Map<Method, MessageMethod>> types = new ConcurrentHashMap<>();
  private final List<String> faults = new ArrayList<>();
  private final List<JoiningMethod> joining = new ArrayList<>(); // guarded as the faults
  private final AtomicBoolean innermost = new AtomicBoolean();
  private volatile boolean started;

  /**
   * Creates it; looks for no bean yet.
   *
   * @param beans where the methods and {@code TransactionalMessages} are
   */
  public TransactionalMethods(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  @Override
  public int getOrder() {
    return ORDER;
  }

  /**
   * Returns the bean. Before the first one it puts a step behind all others: some of them add
   * advice to proxies when this one has done its work, as the one of {@code @Validated} does.
   */
  @Override
  public Object postProcessBeforeInitialization(Object bean, String beanName) {
    if (!methods(AopUtils.getTargetClass(bean)).isEmpty() && innermost.compareAndSet(false, true)) {
      beans.addBeanPostProcessor(new InnermostMessages());
    }
    return bean;
  }

  /**
   * Returns the bean, or a proxy of it.
   *
   * @throws ConfigurationException if a bean that is created after the start is declared wrongly
   */
  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    Map<Method, MessageMethod> methods = methods(AopUtils.getTargetClass(bean));
    if (started && !methods.isEmpty()) {
      check();
    }
    return methods.isEmpty() || isAdvised(bean) ? bean : proxy(bean, new MessageAdvisor(methods));
  }

  /** One that is declared as two beans, or as itself and what stands for it in its scope. */
  private static boolean isAdvised(Object bean) {
    return bean instanceof AopInfrastructureBean
        || (bean instanceof Advised advised
            && List.of(advised.getAdvisors()).stream().anyMatch(MessageAdvisor.class::isInstance));
  }

  private Map<Method, MessageMethod> methods(Class<?> type) {
    return AnnotationUtils.isCandidateClass(type, TransactionalMessage.class)
        ? types.computeIfAbsent(type, this::read)
        : Map.of();
  }

  private Map<Method, MessageMethod> read(Class<?> type) {
    Map<Method, TransactionalMessage> declared =
        MethodIntrospector.selectMethods(
            type,
            (MethodIntrospector.MetadataLookup<TransactionalMessage>)
                method ->
                    AnnotatedElementUtils.findMergedAnnotation(method, TransactionalMessage.class));
    Map<Method, MessageMethod> methods = new HashMap<>();
    synchronized (faults) {
      declared.forEach(
          (method, annotation) -> {
            MethodReader reader = new MethodReader(beans, method, type, annotation);
            reader.read(faults).ifPresent(read -> methods.put(method, read));
            reader.joining().ifPresent(joining::add);
          });
    }
    return methods;
  }

  private static Object proxy(Object bean, MessageAdvisor advisor) {
    if (bean instanceof Advised advised && !advised.isFrozen()) {
      InnermostMessages.add(advised, advisor);
      return bean;
    }
    ProxyFactory factory = new ProxyFactory(bean);
    factory.setProxyTargetClass(true);
    factory.addAdvisor(advisor);
    return factory.getProxy(bean.getClass().getClassLoader());
  }

  /**
   * Called when all beans are there. Looks at those that are made later as well, so that their
   * faults and business ids are known from the start.
   *
   * @throws ConfigurationException if a method is declared wrongly; lists all faults
   */
  @Override
  public void afterSingletonsInstantiated() {
    for (String bean : beans.getBeanDefinitionNames()) {
      look(bean);
    }
    check();
    started = true;
  }

  private void look(String bean) {
    try {
      Class<?> type = AutoProxyUtils.determineTargetClass(beans, bean);
      if (type != null) {
        methods(ClassUtils.getUserClass(type));
      }
    } catch (RuntimeException | LinkageError e) {
      // a class that is not there, of a bean that may never be made; made, it is looked at again
      LOG.debug("Bean {} cannot be looked at for @TransactionalMessage", bean, e);
    }
  }

  private void check() {
    List<String> all;
    List<JoiningMethod> transactional;
    synchronized (faults) {
      all = new ArrayList<>(faults);
      transactional = List.copyOf(joining);
    }
    List<MessageMethod> methods =
        types.values().stream().flatMap(type -> type.values().stream()).toList();
    all.addAll(new BeanFaults(beans).methods(methods).joining(transactional).all());
    if (!all.isEmpty()) {
      throw new ConfigurationException(all);
    }
  }

  /** The business ids of all methods: what the markers of this application answer for. */
  public Set<String> businesses() {
    Set<String> businesses = new TreeSet<>();
    types
        .values()
        .forEach(type -> type.values().forEach(method -> businesses.add(method.business())));
    return businesses;
  }
}
