package io.angarium.spring.autoconfigure.console;

import io.angarium.ConfigurationException;
import io.angarium.TimeSource;
import io.angarium.board.NodeBoard;
import io.angarium.console.OperatorConsole;
import io.angarium.console.access.ConsoleAccess;
import io.angarium.console.access.TicketAccess;
import io.angarium.console.settings.ConsoleAlerts;
import io.angarium.half.check.CheckBackTrial;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.spring.autoconfigure.AngariumRelayAutoConfiguration;
import io.angarium.spring.autoconfigure.internal.mapping.ConsoleMapping;
import io.angarium.spring.operate.ConsoleOutbox;
import io.angarium.spring.operate.ConsoleRoute;
import io.angarium.spring.settings.AngariumProperties;
import jakarta.servlet.http.HttpServletRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** The operator console, where it is switched on. */
@AutoConfiguration(
    after = AngariumRelayAutoConfiguration.class,
    // by name: the quickstart compiles this class without gRPC and Dubbo
    afterName = {
      "io.angarium.spring.autoconfigure.AngariumHalfAutoConfiguration",
      "io.angarium.spring.autoconfigure.AngariumReconciliationAutoConfiguration",
      "io.angarium.spring.autoconfigure.alert.AngariumAlertAutoConfiguration",
      "io.angarium.spring.autoconfigure.board.AngariumBoardAutoConfiguration"
    })
@ConditionalOnClass({OperatorConsole.class, RouterFunction.class, HttpServletRequest.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnBean({AngariumProperties.class, JdbcDatabase.class})
@ConditionalOnProperty("angarium.console.enabled")
public final class AngariumConsoleAutoConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(AngariumConsoleAutoConfiguration.class);

  private static final String NO_WAY =
      "angarium.console.enabled: true, but there is no way in (expected: Spring Security on the"
          + " class path and roles 'ANGARIUM_VIEWER', 'ANGARIUM_OPERATOR' or 'ANGARIUM_ADMIN'; or"
          + " angarium.console.access=application with another security of the servlet container;"
          + " or keys, angarium.console.keys.<name>.hashes; or for this machine alone"
          + " angarium.console.access=local; or a bean of type ConsoleAccess)";

  /** Creates the configuration. */
  public AngariumConsoleAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  OperatorConsole angariumConsole(
      AngariumProperties properties,
      JdbcDatabase database,
      MessageIntake intake,
      ObjectProvider<HalfMessageDesk> half,
      ObjectProvider<ConsoleAlerts> alerts,
      ObjectProvider<NodeBoard> board,
      ObjectProvider<CheckBackTrial> trial,
      ObjectProvider<ConsoleAccess> own,
      ObjectProvider<TimeSource> times) {
    TimeSource time = times.getIfAvailable(() -> TimeSource.SYSTEM);
    List<ConsoleAccess> ways = new ArrayList<>(own.orderedStream().toList());
    List<ConsoleAccess> given = ConsoleMapping.ways(properties.console(), time);
    ways.addAll(given);
    if (ways.isEmpty()) {
      throw new ConfigurationException(List.of(NO_WAY));
    }
    OperatorConsole console =
        new OperatorConsole(
            ConsoleMapping.settings(properties.console(), version()),
            List.of(
                ConsoleOutbox.of(
                    database,
                    intake,
                    half.getIfAvailable(),
                    alerts.getIfAvailable(),
                    board.getIfAvailable(),
                    trial.getIfAvailable())),
            ways,
            time);
    tell(ConsoleMapping.path(properties.console()), given);
    return console;
  }

  private static String version() {
    return Objects.requireNonNullElse(
        OperatorConsole.class.getPackage().getImplementationVersion(), "dev");
  }

  /** The path alone: neither port nor name are known for sure behind a proxy. */
  private static void tell(String path, List<ConsoleAccess> ways) {
    LOG.info("Operator console at {}/", path);
    for (ConsoleAccess way : ways) {
      if (way instanceof TicketAccess tickets) {
        LOG.info(
            "Open it on this machine within {} minutes at {}/?ticket={}",
            TicketAccess.VALID.toMinutes(),
            path,
            tickets.issue());
      }
    }
  }

  @Bean
  RouterFunction<ServerResponse> angariumConsoleRoute(
      OperatorConsole console, AngariumProperties properties) {
    return ConsoleRoute.of(ConsoleMapping.path(properties.console()), console::handle);
  }
}
