package io.angarium.quickstart;

import io.angarium.TimeSource;
import io.angarium.console.access.TicketAccess;
import io.angarium.quickstart.demo.Arguments;
import io.angarium.quickstart.demo.LocalServers;
import io.angarium.quickstart.demo.StartChecks;
import io.angarium.quickstart.demo.StartupException;
import io.angarium.spring.settings.ConsoleProperties;
import java.io.PrintStream;
import java.time.InstantSource;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;

/** Starts the quickstart: a database, a broker, the two applications and the page about them. */
@SpringBootApplication
public class Quickstart {
  private static final PrintStream OUT = System.out;

  /** The clock of both applications. */
  @Bean
  InstantSource clock() {
    return InstantSource.system();
  }

  /**
   * Starts everything and returns; the program runs until it is interrupted. Ends the JVM with
   * status 1 when something is missing.
   *
   * @param args see {@link Arguments#USAGE}
   */
  public static void main(String[] args) {
    try {
      Arguments arguments = Arguments.parse(args);
      if (arguments.help()) {
        OUT.println(Arguments.USAGE);
        return;
      }
      start(arguments);
    } catch (StartupException e) {
      OUT.println();
      OUT.println("The quickstart cannot start. " + e.getMessage());
      System.exit(1);
    }
  }

  private static void start(Arguments arguments) {
    StartChecks.run(arguments);
    LocalServers servers = new LocalServers(arguments, OUT);
    // Runs after the application has been closed, so that it stops with its servers still there.
    SpringApplication.getShutdownHandlers().add(servers::close);
    servers.start();
    OUT.println("Starting the order service ...");
    report(servers, application(arguments, servers));
  }

  private static ConfigurableApplicationContext application(
      Arguments arguments, LocalServers servers) {
    SpringApplication application = new SpringApplication(Quickstart.class);
    application.setDefaultProperties(servers.properties());
    application.addInitializers(
        context -> context.getBeanFactory().registerSingleton("localServers", servers));
    try {
      return application.run("--server.port=" + arguments.port());
    } catch (RuntimeException e) {
      throw new StartupException("The order service did not start; the reason stands above.", e);
    }
  }

  /** Lets the browser of this machine into the console that shows the printed ticket. */
  @Bean
  TicketAccess consoleTickets() {
    return new TicketAccess(TimeSource.SYSTEM);
  }

  private static void report(LocalServers servers, ConfigurableApplicationContext context) {
    int port = 0;
    if (context instanceof WebServerApplicationContext web && web.getWebServer() != null) {
      port = web.getWebServer().getPort();
    }
    OUT.printf(
        """

        Angarium is running. Open  http://localhost:%d

          Database  %s
          Broker    %s
          Console   http://localhost:%d%s/?ticket=%s

        Ctrl-C stops everything and removes its data.
        %n""",
        port,
        servers.databaseTitle(),
        servers.brokerTitle(),
        port,
        ConsoleProperties.PATH,
        context.getBean(TicketAccess.class).issue());
  }
}
