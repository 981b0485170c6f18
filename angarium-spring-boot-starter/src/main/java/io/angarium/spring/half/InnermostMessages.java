package io.angarium.spring.half;

import java.lang.reflect.Method;
import org.springframework.aop.Advisor;
import org.springframework.aop.PointcutAdvisor;
import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.transaction.interceptor.TransactionInterceptor;

/**
 * Where the call with a half message stands among the advice of a bean: directly before that of
 * transactions, else last. As the last step it puts right what others have added meanwhile.
 * Thread-safe.
 */
final class InnermostMessages implements BeanPostProcessor {
  static void add(Advised advised, MessageAdvisor advisor) {
    Class<?> type = AopUtils.getTargetClass(advised);
    Advisor[] advisors = advised.getAdvisors();
    for (int i = advisors.length; i >= 0; i--) {
      int place = i; // one method of a class may have a transaction, and another one none
      MessageAdvisor here = advisor.only(method -> place(method, type, advisors) == place);
      if (!here.isEmpty()) {
        advised.addAdvisor(place, here);
      }
    }
  }

  private static int place(Method method, Class<?> type, Advisor... advisors) {
    for (int i = 0; i < advisors.length; i++) {
      if (advisors[i].getAdvice() instanceof TransactionInterceptor
          && isFor(method, type, advisors[i])) {
        return i;
      }
    }
    return advisors.length;
  }

  private static boolean isFor(Method method, Class<?> type, Advisor advisor) {
    return !(advisor instanceof PointcutAdvisor some)
        || some.getPointcut().getMethodMatcher().matches(method, type);
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    if (bean instanceof Advised advised && !advised.isFrozen()) {
      for (Advisor advisor : advised.getAdvisors()) {
        if (advisor instanceof MessageAdvisor messages) {
          advised.removeAdvisor(advisor);
          add(advised, messages);
        }
      }
    }
    return bean;
  }
}
