package io.angarium.spring.listener;

import io.angarium.spring.AsyncWork;
import io.angarium.spring.RetryAdvice;
import io.angarium.spring.listener.internal.form.Acknowledgements;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.AnnotationAttributes;

/** Why a method cannot be a listener that processes each message once, whatever it is given. */
final class ListenerFaults {
  private static final Set<String> JOINING = Set.of("REQUIRED", "SUPPORTS", "MANDATORY", "NESTED");

  private final Method method;
  private final Class<?> type;
  private final List<String> faults = new ArrayList<>();

  private ListenerFaults(Method method, Class<?> type) {
    this.method = method;
    this.type = type;
  }

  /** Returns the faults of a method of a bean's class; empty if there are none. */
  static List<String> of(Method method, Class<?> type) {
    ListenerFaults found = new ListenerFaults(method, type);
    found.proxy();
    found.transaction();
    found.retries();
    found.returned();
    found.faults.addAll(AsyncWork.faults(method, type));
    found.faults.addAll(Acknowledgements.faults(method, type));
    found.severalLists();
    return found.faults;
  }

  private void proxy() {
    int modifiers = method.getModifiers();
    if (Modifier.isPrivate(modifiers) || Modifier.isStatic(modifiers)) {
      faults.add("private or static (expected: neither, as it is called through a proxy)");
    } else if (Modifier.isFinal(modifiers) || Modifier.isFinal(type.getModifiers())) {
      faults.add("final (expected: neither the method nor its class, as a proxy extends them)");
    }
  }

  private void transaction() {
    propagation("org.springframework.transaction.annotation.Transactional", "propagation");
    propagation("jakarta.transaction.Transactional", "value");
  }

  /** Checks the annotation at the method or, if it has none, at its class. */
  private void propagation(String annotation, String attribute) {
    AnnotationAttributes declared = attributes(method, annotation);
    if (declared == null) {
      declared = attributes(type, annotation);
    }
    String propagation = declared == null ? "REQUIRED" : String.valueOf(declared.get(attribute));
    if (!JOINING.contains(propagation)) {
      faults.add(
          "@Transactional("
              + attribute
              + " = "
              + propagation
              + ") (expected: REQUIRED, as its work and the note of the inbox commit together)");
    }
  }

  private static @Nullable AnnotationAttributes attributes(
      AnnotatedElement element, String annotation) {
    return AnnotatedElementUtils.findMergedAnnotationAttributes(element, annotation, false, false);
  }

  private void retries() {
    if (RetryAdvice.isAround(method, type)) {
      faults.add(
          "@Retryable or @Retry (expected: not to be, as all attempts would be in one transaction"
              + " with what the failed ones wrote; let the container deliver again)");
    }
  }

  private void returned() {
    Class<?> returned = method.getReturnType();
    if (returned.isPrimitive() && returned != void.class) {
      faults.add("returns " + returned + " (expected: void or an object, null for a repeat)");
    }
  }

  /** Lists beside that of the messages would not fit to those that are left of it. */
  private void severalLists() {
    long lists =
        List.of(method.getParameterTypes()).stream()
            .filter(Collection.class::isAssignableFrom)
            .count();
    if (lists > 1) {
      faults.add(
          "has "
              + lists
              + " lists as arguments (expected: one, of whole messages, since repeats are taken"
              + " out of it)");
    }
  }
}
