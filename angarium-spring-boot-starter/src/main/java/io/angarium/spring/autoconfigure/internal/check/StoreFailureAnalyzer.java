package io.angarium.spring.autoconfigure.internal.check;

import io.angarium.StoreException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/** Shows which database refused and what to check, instead of a stack trace. */
@Order(0)
final class StoreFailureAnalyzer extends AbstractFailureAnalyzer<StoreException> {
  private final Environment environment;

  StoreFailureAnalyzer(Environment environment) {
    this.environment = environment;
  }

  @Override
  protected FailureAnalysis analyze(Throwable rootFailure, StoreException cause) {
    SQLException answer = answer(cause);
    if (answer == null) {
      return new FailureAnalysis(
          DataSourceText.withoutSecretsIn(String.valueOf(cause.getMessage())),
          "Correct the cause and start the application again.",
          cause);
    }
    return new FailureAnalysis(
        description(cause, answer), DatabaseRefusal.of(answer).action(properties()), cause);
  }

  private static String description(StoreException cause, SQLException answer) {
    String dataSource =
        cause instanceof DataSourceFailure failure
            ? "\n    Data source: " + failure.dataSource()
            : "";
    return DataSourceText.withoutSecretsIn(what(cause))
        + "\n"
        + dataSource
        + "\n    Answer: "
        + DataSourceText.withoutSecretsIn(text(answer));
  }

  /** What was tried, without the answer, which follows. */
  private static String what(StoreException failure) {
    String message = String.valueOf(failure.getMessage());
    int end = message.indexOf(" (SQLState");
    return (end < 0 ? message : message.substring(0, end)) + ".";
  }

  /** Pools wrap the answer of the database; the innermost one says why. */
  private static @Nullable SQLException answer(Throwable failure) {
    SQLException answer = null;
    for (Throwable at = failure; at != null; at = at.getCause()) {
      if (at instanceof SQLException sql) {
        answer = sql;
      }
    }
    return answer;
  }

  private static String text(SQLException answer) {
    String message = String.valueOf(answer.getMessage()).strip();
    return answer.getSQLState() == null
        ? message
        : message + " (SQLState " + answer.getSQLState() + ")";
  }

  private String properties() {
    return environment.containsProperty("spring.datasource.url")
        ? "spring.datasource."
        : "the data source's ";
  }
}
