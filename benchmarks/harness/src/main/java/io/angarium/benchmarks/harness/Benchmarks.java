package io.angarium.benchmarks.harness;

import io.angarium.benchmarks.arm.BrokerKind;
import io.angarium.benchmarks.brokers.Broker;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Runs the comparison and writes {@code docs/performance}. To be started from the root of the
 * repository, after {@code mvn package}.
 *
 * <p>Arguments: {@code short} (some minutes), {@code full} or {@code smoke}; names of scenarios,
 * separated by commas, or {@code all} that the form runs by itself; names of databases, likewise.
 * Ends with 1 if a message was lost, if one of ours came out of order or without a commit, or if an
 * arm failed. Figures of scenarios and databases that are not run stay as earlier runs left them.
 */
public final class Benchmarks {
  private static final List<Server> DATABASES = List.of(Server.POSTGRESQL, Server.MARIADB);

  /** Only if it is named, since most arms do not know it. */
  private static final Server NAMED_ONLY = Server.MYSQL;

  /** As in production, and of our own. */
  static final ServerOptions SERVERS = ServerOptions.standard().ownProcess().durable();

  /** Fifty relays have more than a database allows by default. */
  private static final String CONNECTIONS_MAX = "500";

  private final Results results = new Results();
  private final Set<Section> measured = new LinkedHashSet<>();
  private final Progress progress = new Progress(System.out);
  private final List<Scenario> wanted;
  private final List<Server> databases;
  private final Plan plan;
  private final Path folder;
  private final String began = Instant.now().truncatedTo(ChronoUnit.MINUTES).toString();
  private Machine machine;

  private Benchmarks(Plan plan, Set<String> wanted, List<Server> databases, Path folder)
      throws IOException {
    this.plan = plan;
    this.wanted = plan.wanted(wanted);
    this.databases = databases;
    this.folder = folder;
    this.machine = Machine.here();
  }

  /** Runs it. */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory("angarium-benchmarks");
    Plan plan = Plan.of(args.length > 0 ? args[0] : "short");
    Set<String> databases = names(args, 2);
    new Benchmarks(plan, names(args, 1), servers(databases), folder).run();
  }

  private static List<Server> servers(Set<String> wanted) {
    List<Server> servers =
        Stream.concat(DATABASES.stream(), Stream.of(NAMED_ONLY))
            .filter(s -> wanted.contains(s.key()) || (s != NAMED_ONLY && wanted.contains("all")))
            .toList();
    if (servers.isEmpty()) {
      throw new IllegalArgumentException(
          "benchmark.databases: " + wanted + " (expected: all, postgresql, mariadb or mysql)");
    }
    return servers;
  }

  private static Set<String> names(String[] args, int index) {
    return Set.of((args.length > index ? args[index] : "all").split(","));
  }

  private void run() throws Exception {
    progress.say("logs of the arms: " + folder);
    Path output = plan.output(folder);
    ResultFiles.in(output, plan.form()).readInto(results);
    ServerOptions many = SERVERS.setting("max_connections", CONNECTIONS_MAX);
    try (Broker kafka = Broker.start(BrokerKind.KAFKA, SERVERS)) {
      machine = machine.with(kafka.title(), kafka.server().version());
      for (Server server : databases) {
        try (DatabaseServer database = DatabaseServer.start(server, many);
            Stage stage = new Stage(database, kafka, folder, progress)) {
          Machine here = machine.with(server.title(), database.version());
          run(stage, new Run(began, here.toString()));
        }
      }
    }
    finish();
  }

  private void run(Stage stage, Run run) throws Exception {
    progress.say("warming up " + stage.broker().title());
    plan.warmUpBroker(stage);
    for (Scenario scenario : wanted) {
      Section section = new Section(scenario.name(), stage.title());
      if (measured.add(section)) {
        results.begin(section, run);
      }
      run(scenario, stage, new Recorder(results, section, progress));
      results.sort(plan.order());
      new Report(plan.form(), results).write(plan.output(folder)); // so far
    }
  }

  /** A scenario that fails is told of in the end; the others go on. */
  private void run(Scenario scenario, Stage stage, Recorder recorder) throws InterruptedException {
    try {
      scenario.run(stage, recorder);
    } catch (InterruptedException e) {
      throw e;
    } catch (Exception e) {
      e.printStackTrace();
      recorder.failed(e);
      stage.dismissAll();
    }
  }

  private void finish() {
    List<String> failures =
        measured.stream()
            .flatMap(s -> results.failures(s).stream().map(failure -> s + ": " + failure))
            .toList();
    failures.forEach(failure -> progress.say("FAILED: " + failure));
    progress.say(measured.size() + " sections, " + failures.size() + " failures");
    System.exit(failures.isEmpty() ? 0 : 1);
  }
}
