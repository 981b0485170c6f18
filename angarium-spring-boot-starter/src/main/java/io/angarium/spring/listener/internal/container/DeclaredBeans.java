package io.angarium.spring.listener.internal.container;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanExpressionContext;
import org.springframework.beans.factory.config.BeanExpressionResolver;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.util.StringUtils;

/** What annotations of listeners name, perhaps by placeholders or expressions. */
final class DeclaredBeans {
  private DeclaredBeans() {}

  /**
   * The bean of that name, or what the expression gives; the name itself if there is no such bean.
   *
   * @param usual taken where nothing is declared
   */
  static @Nullable Object named(
      ConfigurableListableBeanFactory beans, String declared, String usual) {
    Object named = evaluated(beans, StringUtils.hasText(declared) ? declared : usual);
    return named instanceof String name && beans.containsBean(name) ? beans.getBean(name) : named;
  }

  /** Evaluates a text as the libraries of listeners do. */
  static @Nullable Object evaluated(ConfigurableListableBeanFactory beans, String given) {
    String resolved = beans.resolveEmbeddedValue(given);
    BeanExpressionResolver resolver = beans.getBeanExpressionResolver();
    return resolver == null
        ? resolved
        : resolver.evaluate(resolved, new BeanExpressionContext(beans, null));
  }
}
