package io.angarium.server.console;

import io.angarium.TimeSource;
import io.angarium.board.NodeBoard;
import io.angarium.console.OperatorConsole;
import io.angarium.console.access.ConsoleAccess;
import io.angarium.console.access.TicketAccess;
import io.angarium.console.settings.ConsoleAlerts;
import io.angarium.console.settings.ConsoleSettings;
import io.angarium.half.check.CheckBackTrial;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.server.access.Access;
import io.angarium.server.bodies.RequestBodies;
import io.angarium.spring.operate.ConsoleOutbox;
import io.angarium.spring.operate.ConsoleRoute;
import io.angarium.spring.settings.AngariumProperties;
import io.angarium.spring.settings.ConsoleProperties;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.ServerResponse;

/** The operator console of the server. */
@Configuration(proxyBeanMethods = false)
public class ConsoleConfiguration {
  /** Where the console is. */
  public static final String PATH = "/console";

  @Bean
  TicketAccess consoleTickets() {
    return new TicketAccess(TimeSource.SYSTEM);
  }

  @Bean
  OperatorConsole console(
      AngariumProperties properties,
      JdbcDatabase database,
      MessageIntake intake,
      ObjectProvider<HalfMessageDesk> half,
      ObjectProvider<ConsoleAlerts> alerts,
      ObjectProvider<NodeBoard> board,
      ObjectProvider<CheckBackTrial> trial,
      Access access,
      TicketAccess tickets) {
    List<ConsoleAccess> ways =
        access.asksWho()
            ? List.of(new CallerAccess(access))
            : List.of(new CallerAccess(access), tickets);
    return new OperatorConsole(
        settings(properties.console()),
        List.of(
            ConsoleOutbox.of(
                database,
                intake,
                half.getIfAvailable(),
                alerts.getIfAvailable(),
                board.getIfAvailable(),
                trial.getIfAvailable())),
        ways,
        TimeSource.SYSTEM);
  }

  private static ConsoleSettings settings(ConsoleProperties given) {
    String version = ConsoleConfiguration.class.getPackage().getImplementationVersion();
    return new ConsoleSettings(
        Objects.requireNonNullElse(version, "dev"),
        given.readOnly(),
        given.operatorsReveal(),
        given.correct(),
        Set.copyOf(given.maskedFields()),
        given.cookieSecret(),
        given.traceUrl(),
        given.logUrl());
  }

  @Bean
  RouterFunction<ServerResponse> consoleRoute(OperatorConsole console, RequestBodies bodies) {
    return ConsoleRoute.of(
        PATH,
        (request, response, below) ->
            console.handle(
                new BoundedRequest(request, bodies, OperatorConsole.bodyBytesMax(below)),
                response,
                below));
  }
}
