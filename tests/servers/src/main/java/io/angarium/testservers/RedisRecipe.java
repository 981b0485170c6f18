package io.angarium.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * Redis without a file of settings.
 *
 * @param port where clients connect
 */
record RedisRecipe(int port) {
  private static final int OLDEST = 6_000;
  private static final Pattern VERSION = Pattern.compile("v=(\\d+)\\.(\\d+)");
  private static final String IMAGE = "redis:7-alpine";

  static List<ProgramSource> sources() {
    return List.of(
        new ProgramSource(Origin.INSTALLED, RedisRecipe::installed),
        new ProgramSource(Origin.PACKAGE, RedisRecipe::fromPackage),
        new ProgramSource(Origin.CONTAINER, ContainerEngine::find));
  }

  private static Programs installed() {
    Path program =
        InstalledPrograms.program("redis-server")
            .filter(found -> InstalledPrograms.version(found, VERSION) >= OLDEST)
            .orElseThrow(() -> new ServerUnavailableException("no redis-server of 6.0 or newer"));
    Path bin = Objects.requireNonNull(program.getParent());
    return Programs.of(Origin.INSTALLED, Objects.requireNonNull(bin.getParent()));
  }

  private static Programs fromPackage() {
    Path root = DistributionPackage.unpacked("redis-server");
    return new Programs(Origin.PACKAGE, root.resolve("usr"), DistributionPackage.loader(root));
  }

  ServerProcess prepare(Programs programs, ServerOptions options, Path folder) {
    if (programs.origin() == Origin.CONTAINER) {
      List<String> ports = List.of("-p", "127.0.0.1:%1$d:%1$d".formatted(port));
      List<String> command = new ArrayList<>(List.of("redis-server"));
      command.addAll(arguments("0.0.0.0", "/data", options));
      return new ContainerProcess(programs.home(), folder, ports, IMAGE, command);
    }
    List<String> arguments = arguments("127.0.0.1", folder.toString(), options);
    return new LocalProcess(
        programs.command("bin/redis-server", arguments), folder, "TERM", "KILL");
  }

  /**
   * A sentinel keeps what it learns in its file of settings. It takes no stalled machine for a dead
   * master: a test that wants another master orders it.
   */
  ServerProcess prepareSentinel(Programs programs, String name, RedisServer master, Path folder) {
    Path file = folder.resolve("sentinel.conf");
    String settings =
        """
        port %1$d
        bind 127.0.0.1
        dir %2$s
        sentinel monitor %3$s %4$s %5$d 1
        sentinel down-after-milliseconds %3$s 60000
        sentinel failover-timeout %3$s 60000
        """
            .formatted(port, folder, name, master.host(), master.port());
    try {
      Files.writeString(file, settings);
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot write " + file, e);
    }
    List<String> arguments = List.of(file.toString(), "--sentinel");
    return new LocalProcess(
        programs.command("bin/redis-server", arguments), folder, "TERM", "KILL");
  }

  private List<String> arguments(String address, String folder, ServerOptions options) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("port", Integer.toString(port));
    settings.put("bind", address);
    settings.put("protected-mode", "no");
    settings.put("dir", folder);
    settings.put("save", "");
    settings.put("appendonly", "yes");
    // Under "everysec" a write may wait for the disk, and be lost with the process.
    settings.put("appendfsync", options.durableOnDisk() ? "always" : "no");
    settings.putAll(options.settings());
    List<String> arguments = new ArrayList<>();
    settings.forEach((name, value) -> arguments.addAll(List.of("--" + name, value)));
    return arguments;
  }
}
