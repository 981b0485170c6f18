package io.angarium.spring.half;

import io.angarium.InvalidMessageException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanCreationException;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.context.expression.BeanFactoryResolver;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.ParameterNameDiscoverer;
import org.springframework.expression.EvaluationException;
import org.springframework.expression.Expression;
import org.springframework.expression.ExpressionInvocationTargetException;

/**
 * An expression over the arguments of a method. Thread-safe.
 *
 * @param attribute of the annotation, for messages
 * @param where the method, for messages
 */
record ArgumentExpression(
    String attribute, Expression expression, String where, Method method, BeanFactory beans) {
  static final ParameterNameDiscoverer NAMES = new DefaultParameterNameDiscoverer();

  /**
   * Its value; null if it has none. What the code that it calls throws goes to the caller, since it
   * may be gone at the next call.
   *
   * @throws InvalidMessageException if it cannot be evaluated
   * @throws IllegalStateException if that code throws a checked exception
   */
  @Nullable Object of(@Nullable Object[] arguments) {
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(null, method, arguments, NAMES);
    context.setBeanResolver(new BeanFactoryResolver(beans));
    try {
      return expression.getValue(context);
    } catch (EvaluationException e) {
      Throwable thrown = thrownByCalled(e);
      if (thrown == null) {
        throw failed("cannot be evaluated", "an expression over its arguments", e);
      }
      throw unchecked(thrown);
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

  /**
   * Null if it is the expression that is wrong. Methods throw theirs as they are, getters do not.
   */
  private static @Nullable Throwable thrownByCalled(EvaluationException failed) {
    if (failed instanceof ExpressionInvocationTargetException) {
      return failed.getCause();
    }
    for (Throwable e = failed.getCause(); e != null; e = e.getCause()) {
      if (e instanceof InvocationTargetException called) {
        return called.getTargetException();
      }
      if (e instanceof BeanCreationException) {
        return e;
      }
    }
    return null;
  }

  private RuntimeException unchecked(Throwable thrown) {
    if (thrown instanceof Error error) {
      throw error;
    }
    return thrown instanceof RuntimeException e
        ? e
        : new IllegalStateException(told("failed: " + thrown), thrown);
  }

  InvalidMessageException failed(String what, String expected, RuntimeException cause) {
    InvalidMessageException failed = failed(what, expected + "; " + cause.getMessage());
    failed.initCause(cause);
    return failed;
  }

  InvalidMessageException failed(String what, String expected) {
    return new InvalidMessageException(told(what + " (expected: " + expected + ")"));
  }

  private String told(String what) {
    return "@TransactionalMessage at "
        + where
        + ": "
        + attribute
        + " '"
        + expression.getExpressionString()
        + "' "
        + what
        + "; the method was not called";
  }
}
