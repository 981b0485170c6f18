package io.angarium.spring.listener.internal.form;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.util.ClassUtils;

/**
 * An acknowledgement that a listener makes by itself, kept back until its transaction has
 * committed. One that comes after that, from another thread, goes on at once; one of a transaction
 * that did not commit goes nowhere. Thread-safe.
 */
final class HeldAcknowledgment {
  private final Object container;
  private final String type;
  private final Object argument;
  private final List<Method> asked = new ArrayList<>();
  private boolean released;

  /**
   * Keeps one back.
   *
   * @param container what the container has given
   * @param type as {@link Acknowledgements#heldType} names it
   */
  HeldAcknowledgment(Object container, String type) {
    this.container = container;
    this.type = type;
    this.argument =
        Proxy.newProxyInstance(
            container.getClass().getClassLoader(),
            ClassUtils.getAllInterfacesForClass(container.getClass()),
            (proxy, method, arguments) -> {
              if (method.getDeclaringClass() == Object.class) {
                return ofObject(proxy, method, arguments);
              }
              if (Acknowledgements.isForLater(type, method)) {
                later(method);
                return null;
              }
              return now(method, arguments);
            });
  }

  private Object ofObject(Object proxy, Method method, Object @Nullable [] arguments) {
    return switch (method.getName()) {
      case "equals" -> arguments != null && proxy == arguments[0];
      case "hashCode" -> System.identityHashCode(proxy);
      default -> "held " + container;
    };
  }

  private @Nullable Object now(Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    if (!Acknowledgements.isForNow(type, method)) {
      throw new UnsupportedOperationException(
          method.getName()
              + " of "
              + ClassUtils.getShortName(type)
              + " with @IdempotentConsumer (expected: an exception, which rolls back and lets the"
              + " container deliver again)");
    }
    return call(method, arguments);
  }

  private void later(Method method) throws Throwable {
    boolean due;
    synchronized (this) { // not around the container, which may ask the broker
      due = released && asked.isEmpty();
      asked.add(method);
    }
    if (due) {
      call(method, null);
    }
  }

  /** What the listener is given. */
  Object argument() {
    return argument;
  }

  /** The transaction has committed: what the listener asked for first is done. */
  void release() throws Exception {
    Method due;
    synchronized (this) {
      due = asked.isEmpty() ? null : asked.get(0);
      released = true;
    }
    if (due != null) {
      afterCommit(due);
    }
  }

  /** The listener was not called, as nothing was new. */
  void repeated() throws Exception {
    Class<?> shown = ClassUtils.resolveClassName(type, container.getClass().getClassLoader());
    afterCommit(shown.getMethod("acknowledge"));
  }

  private void afterCommit(Method method) throws Exception {
    try {
      call(method, null);
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("Neither an exception nor an error: " + e, e);
    }
  }

  private @Nullable Object call(Method method, @Nullable Object @Nullable [] arguments)
      throws Throwable {
    try {
      return method.invoke(container, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause() == null ? e : e.getCause();
    }
  }
}
