package io.angarium.spring;

import java.lang.reflect.Method;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.transaction.TransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.TransactionManagementConfigurer;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.interceptor.TransactionAttribute;
import org.springframework.util.StringUtils;

/**
 * The {@code @Transactional} of a method that is called in a transaction of Angarium and is to join
 * it: that of another manager would commit by itself. Immutable.
 *
 * @param type the class of the bean
 * @param declared what it says
 */
public record DeclaredTransaction(Class<?> type, TransactionAttribute declared) {
  /**
   * Reads the annotation of a method as Spring does: its values may hold placeholders. Returns
   * empty if the method has none.
   *
   * @throws IllegalArgumentException if a placeholder cannot be resolved
   */
  public static Optional<DeclaredTransaction> of(
      ConfigurableListableBeanFactory beans, Method method, Class<?> type) {
    AnnotationTransactionAttributeSource source = new AnnotationTransactionAttributeSource(false);
    source.setEmbeddedValueResolver(beans::resolveEmbeddedValue);
    return Optional.ofNullable(source.getTransactionAttribute(method, type))
        .map(declared -> new DeclaredTransaction(type, declared));
  }

  /** True if it names its manager. */
  public boolean isNamed() {
    return StringUtils.hasText(declared.getQualifier());
  }

  /** False if nothing looks at the annotation, neither advice nor an aspect. */
  public boolean isRead(ConfigurableListableBeanFactory beans) {
    return isNamed()
        || BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                    beans, TransactionAspectSupport.class)
                .length
            > 0;
  }

  /**
   * Why it does not join; empty if it does.
   *
   * @param joined those whose transactions are that one
   * @param which of them it is, e.g. "with the marker"
   */
  public Optional<String> fault(
      ConfigurableListableBeanFactory beans, Predicate<TransactionManager> joined, String which) {
    try {
      TransactionManager its = new AsSpring(beans).managerOf(declared, type);
      return its == null || joined.test(its)
          ? Optional.empty()
          : Optional.of(fault(names(beans, each -> each == its), names(beans, joined), which));
    } catch (BeansException | IllegalStateException e) {
      String unknown = "that cannot be told: " + e.getMessage();
      return Optional.of(fault(unknown, names(beans, joined), which));
    }
  }

  /** Why it does not join a transaction that is none of Spring's. */
  public Optional<String> faultIfNamed(String which) {
    return isNamed()
        ? Optional.of(fault("'" + declared.getQualifier() + "'", "none", which))
        : Optional.empty();
  }

  private static String fault(String its, String own, String which) {
    return "@Transactional with transaction manager "
        + its
        + " (expected: "
        + own
        + ", as it joins the transaction "
        + which
        + "; leave @Transactional out, or name that manager in it)";
  }

  /** Names the matching transaction managers that exist already; creates no others for it. */
  private static String names(
      ConfigurableListableBeanFactory beans, Predicate<TransactionManager> some) {
    return Stream.of(beans.getBeanNamesForType(TransactionManager.class, false, false))
        .filter(
            name -> beans.getSingleton(name) instanceof TransactionManager one && some.test(one))
        .map(name -> "'" + name + "'")
        .collect(
            Collectors.collectingAndThen(
                Collectors.joining(" or "),
                names -> names.isEmpty() ? "one that is no bean" : names));
  }

  /** Finds the manager of an annotation as the advice of Spring does. */
  private static final class AsSpring extends TransactionAspectSupport {
    /** What {@code <tx:annotation-driven>} gives the advice: the name of a bean. */
    private static final String NAMED_IN_XML = "transactionManagerBeanName";

    AsSpring(ConfigurableListableBeanFactory beans) {
      setBeanFactory(beans);
      Stream.of(beans.getBeanNamesForType(TransactionAspectSupport.class, true, false))
          .filter(beans::containsBeanDefinition)
          .map(name -> beans.getMergedBeanDefinition(name).getPropertyValues().get(NAMED_IN_XML))
          .filter(Objects::nonNull)
          .findFirst()
          .ifPresent(name -> setTransactionManagerBeanName(name.toString()));
      beans
          .getBeanProvider(TransactionManagementConfigurer.class)
          .ifUnique(given -> setTransactionManager(given.annotationDrivenTransactionManager()));
    }

    @Nullable TransactionManager managerOf(TransactionAttribute declared, Class<?> type) {
      return determineTransactionManager(declared, type);
    }
  }
}
