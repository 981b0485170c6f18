package io.angarium.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Kafka from the jars of the Maven repository, in a JVM of its own.
 *
 * @param port where the broker itself and checking clients connect
 * @param controllerPort where the controller listens
 * @param clientPort a second listener, for clients that are sent through a proxy
 * @param advertisedPort the port that clients of the second listener are told: the proxy's
 */
record KafkaRecipe(int port, int controllerPort, int clientPort, int advertisedPort) {
  private static final String CLUSTER = "MkU3OEVBNTcwNTJENDM2Qk";
  private static final String IMAGE = "apache/kafka:";
  private static final String LOGGING =
      """
      status = error
      appenders = console
      appender.console.type = Console
      appender.console.name = console
      appender.console.layout.type = PatternLayout
      appender.console.layout.pattern = %d %-5p %c{1} %m%n
      rootLogger.level = warn
      rootLogger.appenderRefs = console
      rootLogger.appenderRef.console.ref = console
      """;

  static List<ProgramSource> sources() {
    return List.of(
        new ProgramSource(Origin.MAVEN, KafkaRecipe::fromMaven),
        new ProgramSource(Origin.CONTAINER, ContainerEngine::find));
  }

  private static Programs fromMaven() {
    ServerJars.KAFKA.requireAll();
    return Programs.of(Origin.MAVEN, Path.of(System.getProperty("java.home")));
  }

  /** The version of the jars, and of the container image. */
  static String version() {
    return ServerJars.KAFKA.version("kafka_2.13-");
  }

  ServerProcess prepare(Programs programs, ServerOptions options, Path folder) {
    if (programs.origin() == Origin.CONTAINER) {
      return container(programs, options, folder);
    }
    Path properties = folder.resolve("server.properties");
    Path logging = folder.resolve("log4j2.properties");
    try {
      Files.writeString(logging, LOGGING);
      Files.writeString(properties, text(settings(options, folder.resolve("data"))));
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot prepare " + folder, e);
    }
    format(programs, folder.resolve("data"));
    List<String> command = new ArrayList<>(java(programs, "-Xmx768m"));
    command.addAll(options.compilation());
    command.add("-Dlog4j2.configurationFile=" + logging);
    command.addAll(List.of("kafka.Kafka", properties.toString()));
    return new LocalProcess(command, folder, "TERM", "KILL");
  }

  private static List<String> java(Programs programs, String... options) {
    List<String> command = new ArrayList<>(programs.command("bin/java", List.of(options)));
    command.addAll(List.of("-XX:+UseSerialGC", "-cp", ServerJars.KAFKA.classPath()));
    return command;
  }

  /** Formatting takes a JVM and gives the same two files every time: done once, then copied. */
  private void format(Programs programs, Path data) {
    Path formatted =
        ServerFolders.cached(
            "kafka-formatted-" + version(), folder -> formatInto(programs, folder));
    try (Stream<Path> files = Files.list(formatted.resolve("data"))) {
      Files.createDirectory(data);
      for (Path file : files.toList()) {
        Files.copy(file, data.resolve(file.getFileName()));
      }
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot prepare " + data, e);
    }
  }

  private void formatInto(Programs programs, Path folder) {
    Path properties = folder.resolve("format.properties");
    ServerOptions options = ServerOptions.standard();
    try {
      Files.writeString(properties, text(settings(options, folder.resolve("data"))));
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot prepare " + folder, e);
    }
    List<String> command = new ArrayList<>(java(programs, "-XX:TieredStopAtLevel=1"));
    command.addAll(
        List.of("kafka.tools.StorageTool", "format", "-t", CLUSTER, "-c", properties.toString()));
    Shell.run(folder, Duration.ofMinutes(1), command);
  }

  private Map<String, String> settings(ServerOptions options, Path data) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("process.roles", "broker,controller");
    settings.put("node.id", "1");
    settings.put("controller.quorum.voters", "1@127.0.0.1:" + controllerPort);
    settings.put("listeners", listeners("127.0.0.1"));
    settings.put("advertised.listeners", advertisedListeners());
    settings.put(
        "listener.security.protocol.map", "CONTROLLER:PLAINTEXT,DIRECT:PLAINTEXT,CLIENT:PLAINTEXT");
    settings.put("controller.listener.names", "CONTROLLER");
    settings.put("inter.broker.listener.name", "DIRECT");
    settings.put("log.dirs", data.toString());
    settings.putAll(singleNode());
    settings.putAll(options.settings());
    return settings;
  }

  private String listeners(String host) {
    return "DIRECT://%1$s:%2$d,CLIENT://%1$s:%3$d,CONTROLLER://%1$s:%4$d"
        .formatted(host, port, clientPort, controllerPort);
  }

  private String advertisedListeners() {
    return "DIRECT://127.0.0.1:%d,CLIENT://127.0.0.1:%d".formatted(port, advertisedPort);
  }

  /**
   * What one node alone needs, and what makes it quick to start: after kill −9 the broker is let in
   * again only when the session of its predecessor has run out. What a test wrote stays, however
   * old the times of its records are.
   */
  private static Map<String, String> singleNode() {
    return Map.ofEntries(
        Map.entry("offsets.topic.replication.factor", "1"),
        Map.entry("offsets.topic.num.partitions", "4"),
        Map.entry("transaction.state.log.replication.factor", "1"),
        Map.entry("transaction.state.log.min.isr", "1"),
        Map.entry("transaction.state.log.num.partitions", "4"),
        Map.entry("share.coordinator.state.topic.replication.factor", "1"),
        Map.entry("share.coordinator.state.topic.min.isr", "1"),
        Map.entry("group.initial.rebalance.delay.ms", "0"),
        Map.entry("broker.heartbeat.interval.ms", "500"),
        Map.entry("broker.session.timeout.ms", "3000"),
        Map.entry("log.retention.ms", "-1"),
        Map.entry("log.cleaner.dedupe.buffer.size", "4194304"));
  }

  private static String text(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue().replace("\\", "\\\\"))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  private ServerProcess container(Programs programs, ServerOptions options, Path folder) {
    Map<String, String> settings = settings(options, Path.of("/tmp/kafka-data"));
    settings.put("listeners", listeners("0.0.0.0"));
    List<String> arguments = new ArrayList<>();
    for (int published : List.of(port, clientPort)) {
      arguments.addAll(List.of("-p", "127.0.0.1:%1$d:%1$d".formatted(published)));
    }
    settings.forEach((name, value) -> arguments.addAll(environment(name, value)));
    return new ContainerProcess(programs.home(), folder, arguments, IMAGE + version(), List.of());
  }

  private static List<String> environment(String name, String value) {
    String variable = "KAFKA_" + name.toUpperCase(Locale.ROOT).replace('.', '_');
    return List.of("-e", variable + "=" + value);
  }
}
