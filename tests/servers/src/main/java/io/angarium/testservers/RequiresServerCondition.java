package io.angarium.testservers;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.platform.commons.support.AnnotationSupport;

/** Decides on {@link RequiresServer}. */
final class RequiresServerCondition implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    return AnnotationSupport.findAnnotation(context.getElement(), RequiresServer.class)
        .map(required -> evaluate(required, context))
        .orElseGet(() -> ConditionEvaluationResult.enabled("no server required"));
  }

  private static ConditionEvaluationResult evaluate(
      RequiresServer required, ExtensionContext context) {
    Set<Origin> wanted = Set.of(required.from());
    for (Server server : required.value()) {
      Optional<String> reason = reasonMissing(server, wanted);
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

  private static Optional<String> reasonMissing(Server server, Set<Origin> wanted) {
    if (ServerCoverage.isLeftOut(server)) {
      return Optional.of("ANGARIUM_TEST_SERVERS leaves it out");
    }
    if (wanted.isEmpty() && server.named().isPresent()) {
      return Optional.empty();
    }
    try {
      Set<Origin> origins = wanted.isEmpty() ? ServerOptions.standard().origins() : wanted;
      ProgramSource.first(server, sources(server), origins);
      return Optional.empty();
    } catch (ServerUnavailableException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private static List<ProgramSource> sources(Server server) {
    return switch (server) {
      case KAFKA -> KafkaRecipe.sources();
      case RABBITMQ -> RabbitRecipe.sources();
      case ROCKETMQ -> RocketRecipe.sources();
      case REDIS -> RedisRecipe.sources();
      case PGBOUNCER -> PgBouncer.sources();
      case CHROMIUM -> Chromium.sources();
      case PROMETHEUS -> PrometheusServer.sources();
      case POSTGRESQL, MARIADB, MYSQL -> DatabaseRecipe.of(server).sources();
    };
  }
}
