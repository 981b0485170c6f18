package io.angarium.spring.listener;

import io.angarium.inbox.Inbox;
import io.angarium.inbox.InboxKey;
import io.angarium.spring.AsyncWork;
import io.angarium.spring.listener.internal.form.HeldArguments;
import io.angarium.spring.listener.internal.form.RocketArguments;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.ProxyMethodInvocation;

/** One call of a listener by its container. Not thread-safe: one thread at a time. */
final class ListenerCall {
  private final Listener listener;
  private final ProxyMethodInvocation invocation;
  private final HeldArguments held;
  private final Object[] given;
  private boolean called;
  private @Nullable Object returned;

  ListenerCall(Listener listener, ProxyMethodInvocation invocation) {
    this.listener = listener;
    this.invocation = invocation;
    this.held = new HeldArguments(listener.name(), invocation.getArguments());
    this.given = held.arguments();
  }

  /** Returns when the transaction has committed, or nothing was new. */
  @Nullable Object run() throws Exception {
    Map<InboxKey, Object> messages = listener.messages(given);
    try {
      process(messages);
    } catch (GivenBackException e) {
      return returned;
    }
    listener.report(given);
    held.release(called);
    return called ? returned : listener.outcome().ofRepeat();
  }

  private void process(Map<InboxKey, Object> messages) throws Exception {
    Inbox<?> inbox = listener.inbox().get();
    if (listener.packing().many()) {
      inbox.<Exception>processAll(
          messages.keySet(), (transaction, fresh) -> callForAll(messages, fresh));
    } else {
      InboxKey key = messages.keySet().iterator().next();
      inbox.<Exception>process(key, transaction -> call(List.copyOf(messages.values())));
    }
  }

  private void callForAll(Map<InboxKey, Object> messages, Set<InboxKey> fresh) throws Exception {
    try {
      call(
          messages.entrySet().stream()
              .filter(message -> fresh.contains(message.getKey()))
              .map(Map.Entry::getValue)
              .toList());
    } catch (Exception e) {
      throw RolledBackBatchException.ofAll(listener.name(), e);
    }
  }

  private void call(List<?> messages) throws Exception {
    called = true;
    invocation.setArguments(listener.arguments(given, messages));
    Object result = proceed();
    returned = result;
    if (result != null && AsyncWork.isLate(result)) {
      throw new IllegalStateException(
          listener.name()
              + " was rolled back: it returned a "
              + result.getClass().getName()
              + " (expected: nothing to wait for, as its work is done when it returns)");
    }
    if (listener.outcome().isFailure(returned)) {
      throw new GivenBackException(listener.name() + " returned " + returned);
    }
    if (listener.outcome().isStatus()) {
      RocketArguments.requireAll(listener.name(), given, messages.size());
    }
  }

  private @Nullable Object proceed() throws Exception {
    try {
      return invocation.proceed();
    } catch (Exception | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new UndeclaredThrowableException(e);
    }
  }
}
