package io.angarium.spring.half;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import org.aopalliance.aop.Advice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Pointcut;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.support.AopUtils;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/** Calls the methods of a class with their half messages. Thread-safe. */
final class MessageAdvisor extends StaticMethodMatcherPointcut
    implements PointcutAdvisor, MethodInterceptor {
  private final Map<Method, MessageMethod> methods;

  MessageAdvisor(Map<Method, MessageMethod> methods) {
    this.methods = methods;
  }

  /** One for some of its methods. */
  MessageAdvisor only(Predicate<Method> some) {
    Map<Method, MessageMethod> left = new HashMap<>(methods);
    left.keySet().removeIf(some.negate());
    return new MessageAdvisor(left);
  }

  boolean isEmpty() {
    return methods.isEmpty();
  }

  @Override
  public boolean matches(Method method, Class<?> targetClass) {
    return methods.containsKey(AopUtils.getMostSpecificMethod(method, targetClass));
  }

  @Override
  public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
    Object target = invocation.getThis();
    Class<?> type = target == null ? invocation.getMethod().getDeclaringClass() : target.getClass();
    MessageMethod method =
        methods.get(AopUtils.getMostSpecificMethod(invocation.getMethod(), type));
    return method == null ? invocation.proceed() : method.call(invocation);
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
