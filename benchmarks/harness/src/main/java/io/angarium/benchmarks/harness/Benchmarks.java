package io.angarium.benchmarks.harness;

import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.KafkaServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * Runs the comparison and writes {@code docs/performance}. To be started from the root of the
 * repository, after {@code mvn package}.
 *
 * <p>Arguments: {@code short} (some minutes) or {@code full}; names of scenarios, separated by
 * commas, or {@code all}. Ends with 1 if a message was lost, or an arm of ours failed.
 */
public final class Benchmarks {
  private static final List<Server> DATABASES = List.of(Server.POSTGRESQL, Server.MARIADB);

  private final Results results = new Results();
  private final Progress progress = new Progress(System.out);
  private final Set<String> wanted;
  private final Plan plan;
  private final Path folder;

  private Benchmarks(Plan plan, Set<String> wanted, Path folder) {
    this.plan = plan;
    this.wanted = wanted;
    this.folder = folder;
  }

  /** Runs it. */
  public static void main(String[] args) throws Exception {
    Path folder = Files.createTempDirectory("angarium-benchmarks");
    Plan plan = Plan.of(args.length > 0 ? args[0] : "short", folder);
    Set<String> wanted = Set.of((args.length > 1 ? args[1] : "all").split(","));
    new Benchmarks(plan, wanted, folder).run();
  }

  private void run() throws Exception {
    progress.say("logs of the arms: " + folder);
    ServerOptions options = ServerOptions.standard().ownProcess().durable();
    Machine machine;
    try (KafkaServer kafka = KafkaServer.start(options)) {
      machine = Machine.here().with("Kafka", kafka.version());
      for (Server server : DATABASES) {
        try (DatabaseServer database = DatabaseServer.start(server, options);
            Stage stage = new Stage(database, kafka, folder)) {
          machine = machine.with(server.title(), database.version());
          run(stage);
        }
      }
    }
    new Report(plan.form(), machine, results).write(plan.output(folder));
    finish();
  }

  private void run(Stage stage) throws Exception {
    for (Scenario scenario : plan.scenarios()) {
      if (wanted.contains("all") || wanted.contains(scenario.name())) {
        Recorder recorder = new Recorder(results, scenario.name(), stage.title(), progress);
        run(scenario, stage, recorder);
      }
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
      results.fail(scenario.name() + ", " + stage.title() + ": " + e);
      stage.dismissAll();
    }
  }

  private void finish() {
    results.failures().forEach(failure -> progress.say("FAILED: " + failure));
    progress.say(results.all().size() + " figures, " + results.failures().size() + " failures");
    System.exit(results.failures().isEmpty() ? 0 : 1);
  }
}
