package io.angarium.spring;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.interceptor.AsyncExecutionInterceptor;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ClassUtils;

/**
 * Work that goes on after its method has returned, and so outside of the transaction around it. The
 * one list of its kinds, for every annotation that puts a transaction around a method. Types of
 * other libraries are known by their names, so none of those libraries has to be there.
 */
public final class AsyncWork {
  private static final List<String> RESULTS =
      List.of(
          "java.util.concurrent.Future",
          "java.util.concurrent.CompletionStage",
          "java.util.concurrent.Callable",
          "java.util.concurrent.Flow$Publisher",
          "org.reactivestreams.Publisher",
          "org.springframework.util.concurrent.ListenableFuture",
          "org.springframework.web.context.request.async.DeferredResult",
          "org.springframework.web.context.request.async.WebAsyncTask",
          "kotlin.coroutines.Continuation",
          "kotlinx.coroutines.Job",
          "kotlinx.coroutines.flow.Flow");

  private static final List<String> ANNOTATIONS =
      List.of(
          "org.springframework.scheduling.annotation.Async",
          "jakarta.ejb.Asynchronous",
          "jakarta.enterprise.concurrent.Asynchronous");

  /** The last argument of a suspend function of Kotlin. */
  private static final String CONTINUATION = "kotlin.coroutines.Continuation";

  /** What such a function returns while it is not done. */
  private static final String SUSPENDED = "kotlin.coroutines.intrinsics.CoroutineSingletons";

  /** Asked for each result. */
  private static final ClassValue<Boolean> LATE =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return type.getName().equals(SUSPENDED) || isLate(type, type.getClassLoader());
        }
      };

  private AsyncWork() {}

  /** What is declared of it at a method of a bean's class; empty if nothing is. */
  public static List<String> faults(Method method, Class<?> type) {
    List<String> faults = new ArrayList<>();
    for (String annotation : ANNOTATIONS) {
      if (isAnnotated(method, type, annotation)) {
        faults.add(
            "@"
                + annotation.substring(annotation.lastIndexOf('.') + 1)
                + " (expected: not to be, as its work is done when it returns)");
      }
    }
    if (isSuspending(method)) {
      faults.add("suspend (expected: not to be, as its work is done when it returns)");
    } else if (isLate(ResolvableType.forMethodReturnType(method, type), type.getClassLoader())) {
      faults.add(
          "returns "
              + method.getReturnType().getSimpleName()
              + " (expected: nothing to wait for, as its work is done when it returns)");
    }
    return faults;
  }

  private static boolean isAnnotated(Method method, Class<?> type, String annotation) {
    return Stream.of(method, type)
        .map(element -> MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY))
        .anyMatch(present -> present.isPresent(annotation));
  }

  private static boolean isSuspending(Method method) {
    Class<?>[] arguments = method.getParameterTypes();
    return arguments.length > 0 && arguments[arguments.length - 1].getName().equals(CONTINUATION);
  }

  /** Also of what is in a list, for example. */
  private static boolean isLate(ResolvableType returned, @Nullable ClassLoader loader) {
    return isLate(returned.resolve(Object.class), loader)
        || Stream.of(returned.getGenerics()).anyMatch(part -> isLate(part, loader))
        || (returned.isArray() && isLate(returned.getComponentType(), loader));
  }

  private static boolean isLate(Class<?> returned, @Nullable ClassLoader loader) {
    return RESULTS.stream().anyMatch(name -> isOf(returned, name, loader))
        || ReactiveAdapterRegistry.getSharedInstance().getAdapter(returned) != null;
  }

  private static boolean isOf(Class<?> returned, String name, @Nullable ClassLoader loader) {
    return ClassUtils.isPresent(name, loader)
        && ClassUtils.resolveClassName(name, loader).isAssignableFrom(returned);
  }

  /**
   * Whether what a method has returned may stand for work that goes on, also where its declaration
   * does not say so.
   */
  public static boolean isLate(@Nullable Object returned) {
    if (returned == null) {
      return false;
    }
    if (returned instanceof Collection<?> several) {
      return several.stream().anyMatch(AsyncWork::isLate);
    }
    if (returned instanceof Object[] several) {
      return Arrays.stream(several).anyMatch(AsyncWork::isLate);
    }
    if (returned instanceof Map<?, ?> several) {
      return several.values().stream().anyMatch(AsyncWork::isLate);
    }
    if (returned instanceof Optional<?> one) {
      return isLate(one.orElse(null));
    }
    return LATE.get(returned.getClass());
  }

  /**
   * Whether advice of Spring runs a method of this bean on another thread, whatever annotation
   * asked for it.
   */
  public static boolean isHandedOver(Object bean, Method method) {
    return bean instanceof Advised advised
        && Stream.of(advised.getAdvisors())
            .filter(advisor -> advisor.getAdvice() instanceof AsyncExecutionInterceptor)
            .anyMatch(advisor -> applies(advisor, AopUtils.getTargetClass(bean), method));
  }

  private static boolean applies(Advisor advisor, Class<?> type, Method method) {
    return !(advisor instanceof org.springframework.aop.PointcutAdvisor pointed)
        || (pointed.getPointcut().getClassFilter().matches(type)
            && pointed.getPointcut().getMethodMatcher().matches(method, type));
  }
}
