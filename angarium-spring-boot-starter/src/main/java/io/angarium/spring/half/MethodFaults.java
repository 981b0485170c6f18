package io.angarium.spring.half;

import io.angarium.spring.AsyncWork;
import io.angarium.spring.RetryAdvice;
import io.angarium.spring.listener.IdempotentConsumer;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.interceptor.NoRollbackRuleAttribute;
import org.springframework.transaction.interceptor.RuleBasedTransactionAttribute;
import org.springframework.transaction.interceptor.TransactionAttribute;

/** Why a method cannot be called in a transaction with its half message, whatever is sent. */
final class MethodFaults {
  /** Not NESTED: what is rolled back to its savepoint does not keep the marker from committing. */
  private static final Set<Integer> JOINING =
      Set.of(
          TransactionDefinition.PROPAGATION_REQUIRED,
          TransactionDefinition.PROPAGATION_SUPPORTS,
          TransactionDefinition.PROPAGATION_MANDATORY);

  private final Method method;
  private final Class<?> type;
  private final List<String> faults = new ArrayList<>();

  private MethodFaults(Method method, Class<?> type) {
    this.method = method;
    this.type = type;
  }

  /**
   * Returns the faults of a method of a bean's class; empty if there are none.
   *
   * @param transaction what its {@code @Transactional} says; null if it has none
   */
  static List<String> of(Method method, Class<?> type, @Nullable TransactionAttribute transaction) {
    MethodFaults found = new MethodFaults(method, type);
    found.proxy();
    if (transaction != null) {
      found.transaction(transaction);
    }
    found.otherAnnotations();
    found.faults.addAll(AsyncWork.faults(method, type));
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

  /**
   * Adds faults for settings of {@code @Transactional}, at the method or its class, that would not
   * be followed.
   */
  private void transaction(TransactionAttribute declared) {
    if (!JOINING.contains(declared.getPropagationBehavior())) {
      transactional("its propagation", "REQUIRED, as the marker must commit with what it does");
    }
    if (declared.getIsolationLevel() != TransactionDefinition.ISOLATION_DEFAULT
        || declared.getTimeout() != TransactionDefinition.TIMEOUT_DEFAULT
        || declared.isReadOnly()) {
      transactional(
          "isolation, timeout or readOnly", "none of them, as the transaction has begun before");
    }
    if (declared instanceof RuleBasedTransactionAttribute rules
        && rules.getRollbackRules().stream().anyMatch(NoRollbackRuleAttribute.class::isInstance)) {
      transactional("noRollbackFor", "none, as whatever it throws rolls back");
    }
  }

  private void transactional(String what, String expected) {
    faults.add("@Transactional with " + what + " (expected: " + expected + ")");
  }

  private void otherAnnotations() {
    if (RetryAdvice.isAround(method, type)) { // with the same arguments and so the same key
      faults.add(
          "@Retryable or @Retry (expected: not to be, as nothing happens twice under one key and"
              + " the next attempt would be refused; put it on a method of another bean, which"
              + " calls this one with a new key in each attempt, and not again after"
              + " OutcomeUnknownException)");
    }
    if (AnnotatedElementUtils.isAnnotated(method, IdempotentConsumer.class)) {
      faults.add(
          "@IdempotentConsumer (expected: another method for one of them, as both begin a"
              + " transaction; or send through Outbox)");
    }
  }
}
