package io.angarium.spring.half;

import io.angarium.InvalidMessageException;
import java.lang.reflect.Method;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;

/**
 * An expression over the arguments of a method. Thread-safe.
 *
 * @param attribute of the annotation, for messages
 * @param where the method, for messages
 */
record ArgumentExpression(
    String attribute, Expression expression, String where, Method method, BeanFactory beans) {
  static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  /** Its value; null if it has none. */
  @Nullable Object of(@Nullable Object[] arguments) {
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(null, method, arguments, NAMES);
    context.setBeanResolver(new BeanFactoryResolver(beans));
    try {
      return expression.getValue(context);
    } catch (EvaluationException e) {
      InvalidMessageException failed =
          failed("cannot be evaluated", "an expression over its arguments; " + e.getMessage());
      failed.initCause(e);
      throw failed;
    }
  }

  /** Its value as the text of a key; null if it has none. */
  @Nullable String text(@Nullable Object[] arguments) {
    Object value = of(arguments);
    if (value == null) {
      return null;
    }
    if (value instanceof Enum<?> constant) {
      return constant.name();
    }
    if (isText(value.getClass())) {
      return value.toString();
    }
    throw failed("is a " + value.getClass().getSimpleName(), "text, a number, a UUID or an enum");
  }

  static boolean isText(Class<?> type) {
    return CharSequence.class.isAssignableFrom(type)
        || Number.class.isAssignableFrom(type)
        || type == Character.class
        || type == UUID.class;
  }

  InvalidMessageException failed(String what, String expected) {
    return new InvalidMessageException(
        "@TransactionalMessage at "
            + where
            + ": "
            + attribute
            + " '"
            + expression.getExpressionString()
            + "' "
            + what
            + " (expected: "
            + expected
            + "); the method was not called");
  }
}
