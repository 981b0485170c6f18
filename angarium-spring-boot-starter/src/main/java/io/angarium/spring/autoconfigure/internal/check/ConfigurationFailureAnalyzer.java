package io.angarium.spring.autoconfigure.internal.check;

import io.angarium.ConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;

/** Shows the faults of a wrong configuration instead of a stack trace. */
@Order(0)
final class ConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<ConfigurationException> {
  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, ConfigurationException cause) {
    return new FailureAnalysis(
        cause.getMessage(), "Correct each line above and start the application again.", cause);
  }
}
