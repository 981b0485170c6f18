package io.angarium.spring.autoconfigure.internal.check;

import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.annotation.Order;

/** Says how an application tells several outboxes, databases or other beans of ours apart. */
@Order(0)
final class SeveralBeansFailureAnalyzer
    extends AbstractInjectionFailureAnalyzer<NoUniqueBeanDefinitionException> {
  private static final String OURS = "io.angarium.";

  @Override
  protected @Nullable FailureAnalysis analyze(
      Throwable rootFailure, NoUniqueBeanDefinitionException cause, @Nullable String description) {
    Class<?> type = cause.getBeanType();
    Collection<String> found = cause.getBeanNamesFound();
    if (type == null || !type.getName().startsWith(OURS) || found == null || found.isEmpty()) {
      return null;
    }
    List<String> names = found.stream().sorted().toList();
    String who = description == null ? "The application" : description;
    return new FailureAnalysis(
        "%s asks for one bean of type %s. There are %d: %s."
            .formatted(who, type.getName(), names.size(), String.join(", ", names)),
        ("Mark the one that is used by default with @Primary, or ask for one by its name, e.g."
                + " @Qualifier(\"%s\"). Angarium's own beans use the default: declare the parts of"
                + " a further outbox with @Bean(defaultCandidate = false), so that they do not see"
                + " them.")
            .formatted(names.get(0)),
        cause);
  }
}
