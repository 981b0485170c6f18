package io.angarium.spring.autoconfigure.internal.check;

import io.angarium.Outbox;
import io.angarium.half.HalfMessages;
import io.angarium.inbox.Inbox;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;

/**
 * Says why there is no outbox, inbox or half messages to inject, and what to add. Without it Spring
 * Boot lists the conditions of the auto-configuration.
 */
@Order(0)
final class MissingBeanFailureAnalyzer
    extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException> {
  private static final String SPRING_JDBC =
      "org.springframework.jdbc.datasource.DataSourceTransactionManager";

  private final BeanFactory beans;
  private final Environment environment;

  MissingBeanFailureAnalyzer(BeanFactory beans, Environment environment) {
    this.beans = beans;
    this.environment = environment;
  }

  /** Why there is no such bean, and what to do. */
  private record Reason(String text, String action) {}

  @Override
  protected @Nullable FailureAnalysis analyze(
      Throwable rootFailure, NoSuchBeanDefinitionException cause, @Nullable String description) {
    Class<?> type = cause.getBeanType();
    if (type == null || cause instanceof NoUniqueBeanDefinitionException) {
      return null;
    }
    Reason reason = reason(type);
    if (reason == null) {
      return null;
    }
    String who = description == null ? "The application" : description;
    return new FailureAnalysis(
        who + " asks for a bean of type " + type.getName() + ". There is none: " + reason.text(),
        reason.action(),
        cause);
  }

  private @Nullable Reason reason(Class<?> type) {
    if (Inbox.class.isAssignableFrom(type)) {
      return isTrue("angarium.inbox.enabled")
          ? withoutDatabase()
          : switchedOff("the inbox", "angarium.inbox.enabled");
    }
    if (Outbox.class.isAssignableFrom(type)) {
      return outbox();
    }
    if (HalfMessages.class.isAssignableFrom(type)) {
      return isTrue("angarium.half.enabled")
          ? outbox()
          : switchedOff("half messages", "angarium.half.enabled");
    }
    return null;
  }

  private @Nullable Reason outbox() {
    return environment.getProperty("angarium.enabled", Boolean.class, true)
        ? withoutDatabase()
        : new Reason(
            "angarium.enabled is false.",
            "Remove angarium.enabled=false, or define a bean that takes its place.");
  }

  private boolean isTrue(String property) {
    return environment.getProperty(property, Boolean.class, false);
  }

  private static Reason switchedOff(String what, String property) {
    return new Reason(what + " must be switched on first.", "Set " + property + "=true.");
  }

  private @Nullable Reason withoutDatabase() {
    if (!ClassUtils.isPresent(SPRING_JDBC, getClass().getClassLoader())) {
      return new Reason(
          "Spring's support for JDBC is not on the class path.",
          "Add spring-boot-starter-jdbc or spring-boot-starter-data-jpa, and the JDBC driver of the"
              + " database.");
    }
    boolean none =
        beans instanceof ListableBeanFactory listable
            && listable.getBeanNamesForType(DataSource.class, true, false).length == 0;
    return none ? withoutDataSource() : null;
  }

  private Reason withoutDataSource() {
    return new Reason(
        "there is no DataSource bean.",
        (environment.containsProperty("spring.datasource.url")
                ? "Nothing reads spring.datasource.url: add spring-boot-starter-jdbc or"
                    + " spring-boot-starter-data-jpa"
                : "Set spring.datasource.url, username and password, and add"
                    + " spring-boot-starter-jdbc and the JDBC driver of the database")
            + ". Or define a DataSource bean.");
  }
}
