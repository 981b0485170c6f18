package io.angarium.server;

import io.angarium.console.access.TicketAccess;
import io.angarium.server.access.Access;
import io.angarium.server.calls.OtherWay;
import io.angarium.server.console.ConsoleConfiguration;
import io.angarium.server.start.CommandLine;
import io.angarium.server.start.PortCheck;
import io.angarium.server.start.Probe;
import java.io.PrintStream;
import java.util.List;
import java.util.stream.Collectors;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.Environment;

/** Starts the reliable message centre. */
@SpringBootApplication
public class Server {
  private static final PrintStream OUT = System.out;
  private static final PrintStream ERR = System.err;
  private static final int WRONG_USAGE = 2;

  private static final String USAGE =
      """
      Usage: ./angarium server [--name=value ...]

      Keeps half messages (prepare, commit, rollback) over HTTP and sends what is committed. Without
      any option: for this machine only, on http://127.0.0.1:8090, with the database in the folder
      angarium-data, without a broker. Every property can be an option, an environment variable or
      a line of application.properties in the current folder; docs/server.md lists them. E.g.

        --server.port=9000
        --spring.datasource.url=jdbc:postgresql://db/outbox --spring.datasource.username=outbox
        --angarium.kafka.enabled=true --spring.kafka.bootstrap-servers=kafka:9092

      Usage: ./angarium server probe [--wait=seconds] [address]

      Asks a server whether it is ready, by default the one on http://127.0.0.1:8090; for health
      checks where there is no curl. Ends with status 0 if it is, within the seconds given, else 1.
      """;

  /**
   * Starts the server and returns; it runs until it is interrupted. Ends the JVM with status 1 if
   * it cannot start, and 2 if an argument is not understood. After SIGTERM the JVM ends with 143.
   *
   * @param args properties as {@code --name=value}; anywhere {@code --help}; or {@code probe}
   */
  public static void main(String[] args) {
    CommandLine line = CommandLine.of(List.of(args));
    if (line.help()) {
      OUT.println(USAGE);
      return;
    }
    if (args.length > 0 && args[0].equals(Probe.COMMAND)) {
      System.exit(Probe.run(List.of(args).subList(1, args.length), OUT, ERR));
    }
    if (!line.faults().isEmpty()) {
      line.faults().forEach(ERR::println);
      ERR.println("--help lists what there is.");
      System.exit(WRONG_USAGE);
    }
    try {
      SpringApplication application = new SpringApplication(Server.class);
      application.addListeners(new PortCheck());
      report(application.run(args));
    } catch (RuntimeException e) {
      System.exit(1); // what is wrong was told
    }
  }

  private static void report(ConfigurableApplicationContext context) {
    Environment environment = context.getEnvironment();
    boolean tls =
        environment.getProperty("server.ssl.bundle") != null
            || environment.getProperty("server.ssl.certificate") != null
            || environment.getProperty("server.ssl.key-store") != null;
    int port = context instanceof WebServerApplicationContext web ? port(web) : 0;
    String address = environment.getProperty("server.address", "0.0.0.0");
    OUT.printf(
        """

        Angarium server is running on  %s://%s:%d

          Database  %s
          Callers   %s
          Console   %s
        %s
        Ctrl-C stops it.
        %n""",
        tls ? "https" : "http",
        address,
        port,
        withoutSecrets(environment.getProperty("spring.datasource.url", "")),
        context.getBean(Access.class).words(),
        console(context, (tls ? "https" : "http") + "://" + address + ":" + port),
        otherWays(context));
  }

  /** With a ticket where nobody is asked for a key: a browser of this machine shows it once. */
  private static String console(ConfigurableApplicationContext context, String server) {
    String page = server + ConsoleConfiguration.PATH + "/";
    return context.getBean(Access.class).asksWho()
        ? page
        : page + "?ticket=" + context.getBean(TicketAccess.class).issue();
  }

  private static String otherWays(ConfigurableApplicationContext context) {
    return context
        .getBeanProvider(OtherWay.class)
        .orderedStream()
        .filter(OtherWay::isRunning)
        .map(way -> "  %-8s  %s%n".formatted(way.name(), way.address()))
        .collect(Collectors.joining());
  }

  private static int port(WebServerApplicationContext context) {
    return context.getWebServer() == null ? 0 : context.getWebServer().getPort();
  }

  /**
   * Parameters, and what stands before an address, may hold a password, which may have any
   * character. If it is not certain where it ends, nothing but the protocol is shown.
   */
  static String withoutSecrets(String url) {
    String place = url.replaceFirst("(?s)[?;].*", "");
    boolean certain = url.lastIndexOf('@') < place.length() && !place.matches("(?s).*[(=].*");
    return certain
        ? place.replaceFirst("(?s)//.*@", "//")
        : place.replaceFirst("(?s)^(jdbc:\\w*:)?.*", "$1…");
  }
}
