package io.angarium.testservers;

import java.io.File;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * RabbitMQ on Erlang, by the makers' own scripts, in an environment that keeps it away from the
 * RabbitMQ of the machine.
 *
 * @param port where clients connect
 * @param distributionPort where the commands of {@code rabbitmqctl} arrive
 * @param mapperPort the port of the node's own epmd, which tells them the port before
 */
record RabbitRecipe(int port, int distributionPort, int mapperPort) {
  /** The first with time limits for messages in quorum queues. */
  private static final int OLDEST = 3_010;

  private static final Pattern VERSION = Pattern.compile("rabbit-(\\d+)\\.(\\d+)");
  private static final String IMAGE = "rabbitmq:4-alpine";
  private static final String LOOPBACK = "-kernel inet_dist_use_interface {127,0,0,1}";

  static List<ProgramSource> sources() {
    return List.of(
        new ProgramSource(Origin.INSTALLED, RabbitRecipe::installed),
        new ProgramSource(Origin.PACKAGE, RabbitRecipe::fromPackage),
        new ProgramSource(Origin.CONTAINER, ContainerEngine::find));
  }

  private static Programs installed() {
    if (InstalledPrograms.program("erl").isEmpty()) {
      throw new ServerUnavailableException("no erl");
    }
    return InstalledPrograms.folders(
            "/usr/lib/rabbitmq/lib/*/sbin",
            "/opt/homebrew/opt/rabbitmq*/sbin",
            "/usr/local/opt/rabbitmq*/sbin")
        .stream()
        .map(folder -> folder.resolve("rabbitmq-server"))
        .filter(Files::isExecutable)
        .map(RabbitRecipe::home)
        .filter(RabbitRecipe::isNewEnough)
        .findFirst()
        .map(home -> Programs.of(Origin.INSTALLED, home))
        .orElseThrow(() -> new ServerUnavailableException("no RabbitMQ of 3.10 or newer"));
  }

  /** A script on the path may be a link to the one in RabbitMQ's own folder. */
  private static Path home(Path script) {
    try {
      Path scripts = Objects.requireNonNull(script.toRealPath().getParent());
      return Objects.requireNonNull(scripts.getParent());
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot follow " + script, e);
    }
  }

  private static boolean isNewEnough(Path home) {
    Path plugins = home.resolve("plugins");
    if (!Files.isDirectory(plugins)) {
      return false;
    }
    try (DirectoryStream<Path> found = Files.newDirectoryStream(plugins, "rabbit-[0-9]*")) {
      for (Path server : found) {
        Matcher version = VERSION.matcher(server.toString());
        if (version.find()) {
          int major = Integer.parseInt(version.group(1));
          return 1000 * major + Integer.parseInt(version.group(2)) >= OLDEST;
        }
      }
      return false;
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot list " + plugins, e);
    }
  }

  private static Programs fromPackage() {
    Path root = DistributionPackage.unpacked("rabbitmq-server", RelocatedErlang::relocate);
    Path servers = root.resolve("usr/lib/rabbitmq/lib");
    return Programs.of(
        Origin.PACKAGE, DistributionPackage.only(servers, "rabbitmq_server-*").toAbsolutePath());
  }

  /** Prepares a node with a private folder; its epmd has one as well. */
  RabbitNode prepare(Programs programs, ServerOptions options) {
    if (programs.origin() == Origin.CONTAINER) {
      return container(programs, options);
    }
    Path folder = ServerFolders.createFor(Server.RABBITMQ);
    return ServerFolders.filling(folder, own -> node(programs, options, own));
  }

  private RabbitNode node(Programs programs, ServerOptions options, Path folder) {
    List<Path> erlang = erlangFolders(programs);
    Path run = folder.resolve("run");
    write(folder, options, run, script(environment(programs, erlang, folder)));
    Path epmd = program(erlang, "epmd");
    return ServerFolders.filling(
        ServerFolders.createFor(Server.RABBITMQ),
        folderOfMapper -> {
          ServerProcess mapper =
              new LocalProcess(
                  List.of(run.toString(), epmd.toString()), folderOfMapper, "TERM", "KILL");
          ServerProcess server =
              new LocalProcess(command(run, programs, "rabbitmq-server"), folder, "TERM", "KILL");
          return new RabbitNode(
              new AssistedProcess(
                  server, List.of(new AssistedProcess.Assistant(mapper, mapperPort))),
              command(run, programs, "rabbitmqctl", "--quiet"));
        });
  }

  private static List<String> command(
      Path run, Programs programs, String script, String... arguments) {
    List<String> command = new ArrayList<>(List.of(run.toString()));
    command.addAll(programs.command("sbin/" + script, List.of(arguments)));
    return command;
  }

  /** The folder beside RabbitMQ's, as Debian and its packages have it, and those of the path. */
  private static List<Path> erlangFolders(Programs programs) {
    Path beside = programs.home().resolve("../../../erlang/bin").normalize();
    return Stream.concat(Stream.of(beside), InstalledPrograms.folders().stream())
        .filter(Files::isDirectory)
        .toList();
  }

  private static Path program(List<Path> folders, String name) {
    return folders.stream()
        .map(folder -> folder.resolve(name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow(() -> new ServerUnavailableException("no " + name + " in " + folders));
  }

  private void write(Path folder, ServerOptions options, Path run, String script) {
    try {
      Files.writeString(run, script);
      Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwx------"));
      Path home = Files.createDirectory(folder.resolve("home"));
      Path cookie = home.resolve(".erlang.cookie");
      Files.writeString(cookie, Login.withRandomPassword("erlang").password());
      Files.setPosixFilePermissions(cookie, PosixFilePermissions.fromString("r--------"));
      Files.createDirectory(folder.resolve("conf.d"));
      Files.writeString(folder.resolve("rabbitmq.conf"), text(settings("127.0.0.1", options)));
      Files.writeString(folder.resolve("advanced.config"), "[].\n");
      Files.writeString(folder.resolve("enabled_plugins"), "[].\n");
      Files.writeString(folder.resolve("rabbitmq-env.conf"), "");
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot prepare " + folder, e);
    }
  }

  private Map<String, String> settings(String address, ServerOptions options) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("listeners.tcp.default", address + ":" + port);
    settings.put("loopback_users", "none");
    settings.put("log.console", "true");
    settings.put("log.console.level", "warning");
    settings.put("log.file", "false");
    settings.putAll(options.settings());
    return settings;
  }

  private static String text(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(entry -> entry.getKey() + " = " + entry.getValue())
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** Everything that RabbitMQ would otherwise look for in the folders of the machine's own. */
  private Map<String, String> environment(Programs programs, List<Path> path, Path folder) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put(
        "PATH", path.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    all.put("HOME", folder.resolve("home").toString());
    all.put("LANG", "C.UTF-8");
    all.put("RABBITMQ_NODENAME", "rabbit@localhost");
    all.put("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1");
    all.put("RABBITMQ_NODE_PORT", Integer.toString(port));
    all.put("RABBITMQ_DIST_PORT", Integer.toString(distributionPort));
    all.put("RABBITMQ_MNESIA_BASE", folder.resolve("data").toString());
    all.put("RABBITMQ_LOG_BASE", folder.resolve("log").toString());
    all.put("RABBITMQ_LOGS", "-");
    all.put("RABBITMQ_CONFIG_FILE", folder.resolve("rabbitmq.conf").toString());
    all.put("RABBITMQ_CONFIG_FILES", folder.resolve("conf.d").toString());
    all.put("RABBITMQ_ADVANCED_CONFIG_FILE", folder.resolve("advanced.config").toString());
    all.put("RABBITMQ_CONF_ENV_FILE", folder.resolve("rabbitmq-env.conf").toString());
    all.put("RABBITMQ_ENABLED_PLUGINS_FILE", folder.resolve("enabled_plugins").toString());
    all.put("RABBITMQ_PLUGINS_DIR", programs.home().resolve("plugins").toString());
    all.put("RABBITMQ_PID_FILE", folder.resolve("pid").toString());
    all.put("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", LOOPBACK);
    all.put("RABBITMQ_CTL_ERL_ARGS", LOOPBACK);
    all.put("RABBITMQ_CTL_DIST_PORT_MIN", "0");
    all.put("RABBITMQ_CTL_DIST_PORT_MAX", "0");
    all.put("ERL_EPMD_ADDRESS", "127.0.0.1");
    all.put("ERL_EPMD_PORT", Integer.toString(mapperPort));
    all.put("ERL_CRASH_DUMP_SECONDS", "0");
    // The script becomes the node instead of waiting for it: signals reach who they are meant for.
    all.put("RUNNING_UNDER_SYSTEMD", "true");
    return all;
  }

  private static String script(Map<String, String> environment) {
    return environment.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue().replace("'", "'\\''"))
        .map(assignment -> "'" + assignment + "'")
        .collect(Collectors.joining(" ", "#!/bin/sh\nexec env -i ", " \"$@\"\n"));
  }

  private RabbitNode container(Programs programs, ServerOptions options) {
    Path folder = ServerFolders.createFor(Server.RABBITMQ);
    List<String> arguments = new ArrayList<>();
    arguments.addAll(List.of("-p", "127.0.0.1:%1$d:%1$d".formatted(port)));
    arguments.addAll(List.of("-e", "SETTINGS=" + text(settings("0.0.0.0", options))));
    String start =
        "printf %s \"$SETTINGS\" > /etc/rabbitmq/conf.d/90-tests.conf"
            + " && exec docker-entrypoint.sh rabbitmq-server";
    ContainerProcess process =
        new ContainerProcess(programs.home(), folder, arguments, IMAGE, List.of("sh", "-c", start));
    return new RabbitNode(process, process.inside("rabbitmqctl", "--quiet"));
  }
}
