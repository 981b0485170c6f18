package io.angarium.orderstock.orders;

import io.angarium.transport.Transport;
import java.util.random.RandomGenerator;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/** Puts {@link Repeats} before the transport where they are wanted. */
@Component
class RepeatsRegistrar implements BeanPostProcessor {
  private final int percent;

  RepeatsRegistrar(Environment environment) {
    this.percent = environment.getProperty("shop.duplicates", Integer.class, 0);
  }

  @Override
  public Object postProcessAfterInitialization(Object bean, String beanName) {
    return percent > 0 && bean instanceof Transport transport
        ? new Repeats(transport, percent, RandomGenerator.getDefault())
        : bean;
  }
}
