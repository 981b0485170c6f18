package io.angarium.spring.half;

import io.angarium.ConfigurationException;
import io.angarium.half.local.TransactionalMessages;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.springframework.beans.BeansException;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.core.NestedExceptionUtils;

/** What methods lack that others have to give; known when all beans are there. */
final class BeanFaults {
  private final ConfigurableListableBeanFactory beans;
  private final List<String> faults = new ArrayList<>();

  BeanFaults(ConfigurableListableBeanFactory beans) {
    this.beans = beans;
  }

  /** Adds the faults of methods that are well declared by themselves. */
  BeanFaults methods(List<MessageMethod> methods) {
    List<MessageMethod> sorted =
        methods.stream().sorted(Comparator.comparing(MessageMethod::name)).toList();
    if (!sorted.isEmpty()) {
      messages(sorted);
    }
    for (MessageMethod method : sorted) {
      if (method.object() && method.typed().get() == null) {
        faults.add(
            MethodReader.fault(
                method.name(), "payload: an object (expected: " + MessageMethod.TYPED + ")"));
      }
    }
    return this;
  }

  BeanFaults joining(List<JoiningMethod> methods) {
    methods.forEach(method -> method.fault(beans).ifPresent(faults::add));
    return this;
  }

  List<String> all() {
    return faults;
  }

  private void messages(List<MessageMethod> methods) {
    try {
      beans.getBean(TransactionalMessages.class);
    } catch (BeansException e) {
      if (NestedExceptionUtils.getMostSpecificCause(e) instanceof ConfigurationException wrong) {
        faults.addAll(wrong.faults());
        return;
      }
      methods.forEach(
          method ->
              faults.add(
                  MethodReader.fault(
                      method.name(),
                      "no TransactionalMessages (expected: angarium.half.enabled=true, or one bean"
                          + " of it; "
                          + e.getMessage()
                          + ")")));
    }
  }
}
