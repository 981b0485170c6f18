package io.angarium.spring.listener;

import java.lang.reflect.Method;
import java.util.Map;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/** Calls the listeners of a class through the inbox. Thread-safe. */
final class ListenerAdvisor extends StaticMethodMatcherPointcut
    implements PointcutAdvisor, MethodInterceptor {
  private final Map<Method, Listener> listeners;

  ListenerAdvisor(Map<Method, Listener> listeners) {
    this.listeners = listeners;
  }

  @Override
  public boolean matches(Method method, Class<?> targetClass) {
    return listeners.containsKey(AopUtils.getMostSpecificMethod(method, targetClass));
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = invocation.getThis();
    Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : target.getClass();
    Listener listener = listeners.get(AopUtils.getMostSpecificMethod(invocation.getMethod(), type));
    return listener == null || !(invocation instanceof ProxyMethodInvocation call)
        ? invocation.proceed()
        : new ListenerCall(listener, call).run();
  }

  @Override
  public Pointcut getPointcut() {
    return this;
  }

  @Override
  public Advice getAdvice() {
    return this;
  }
}
