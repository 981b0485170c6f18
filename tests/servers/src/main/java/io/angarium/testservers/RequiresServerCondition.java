package io.angarium.testservers;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides on {@link RequiresServer}. */
final class RequiresServerCondition implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(context.getElement(), RequiresServer.class)
        .map(required -> evaluate(required.value(), context))
        .orElseGet(() -> ConditionEvaluationResult.enabled("no server required"));
  }

  private static ConditionEvaluationResult evaluate(Server[] servers, ExtensionContext context) {
    for (Server server : servers) {
      Optional<String> reason = reasonMissing(server);
      if (reason.isEmpty()) {
        continue;
      }
      if (ServerCoverage.isRequired(server)) {
        throw new ServerUnavailableException(
            server.title() + " is required by ANGARIUM_REQUIRE_SERVERS: " + reason.get());
      }
      ServerCoverage.notCovered(server, name(context), reason.get());
      return ConditionEvaluationResult.disabled(server.title() + " NOT COVERED", reason.get());
    }
    return ConditionEvaluationResult.enabled("all servers can be had");
  }

  private static String name(ExtensionContext context) {
    String method = context.getTestMethod().map(found -> "." + found.getName()).orElse("");
    return context.getRequiredTestClass().getName() + method;
  }

  private static Optional<String> reasonMissing(Server server) {
    if (server.named().isPresent()) {
      return Optional.empty();
    }
    try {
      ProgramSource.first(server, sources(server), ServerOptions.standard().origins());
      return Optional.empty();
    } catch (ServerUnavailableException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static List<ProgramSource> sources(Server server) {
    return server == Server.KAFKA ? KafkaRecipe.sources() : DatabaseRecipe.of(server).sources();
  }
}
