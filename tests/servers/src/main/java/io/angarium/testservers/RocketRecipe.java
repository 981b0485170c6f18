package io.angarium.testservers;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * RocketMQ from the jars of the Maven repository: name server, broker and, when asked for, the
 * proxy of the gRPC clients, each in a JVM of its own.
 *
 * @param nameServerPort where clients ask for the broker
 * @param port where the broker listens; it takes the second port below it as well
 * @param replicationPort where the broker awaits replicas, on every interface: RocketMQ has no
 *     setting for that
 */
record RocketRecipe(int nameServerPort, int port, int replicationPort) {
  private static final String TLS = "tls.";
  private static final String CLUSTER = "DefaultCluster";
  private static final List<String> OPENED =
      List.of("java.base/java.nio", "java.base/sun.nio.ch", "java.base/java.lang");

  static List<ProgramSource> sources() {
    return List.of(new ProgramSource(Origin.MAVEN, RocketRecipe::fromMaven));
  }

  private static Programs fromMaven() {
    ServerJars.ROCKETMQ.requireAll();
    return Programs.of(Origin.MAVEN, Path.of(System.getProperty("java.home")));
  }

  /** The version of the jars. */
  static String version() {
    return ServerJars.ROCKETMQ.version("rocketmq-broker-");
  }

  /** Prepares name server and broker with a private folder each. */
  ServerProcess prepare(Programs programs, ServerOptions options) {
    return inFolder(
        folder -> {
          LocalProcess broker = broker(programs, options, folder);
          LocalProcess names = inFolder(own -> nameServer(programs, options, own));
          return new AssistedProcess(
              broker, List.of(new AssistedProcess.Assistant(names, nameServerPort)));
        });
  }

  private static <T> T inFolder(FolderUse<T> use) {
    return ServerFolders.filling(
        ServerFolders.createFor(Server.ROCKETMQ),
        folder -> {
          try {
            return use.with(folder);
          } catch (IOException e) {
            throw new ServerUnavailableException("Cannot prepare " + folder, e);
          }
        });
  }

  private LocalProcess nameServer(Programs programs, ServerOptions options, Path folder)
      throws IOException {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("listenPort", Integer.toString(nameServerPort));
    settings.put("bindAddress", "127.0.0.1");
    settings.put("kvConfigPath", folder.resolve("kvConfig.json").toString());
    settings.put("configStorePath", folder.resolve("stored.properties").toString());
    Path file = Files.writeString(folder.resolve("namesrv.conf"), text(settings));
    return java(
        programs,
        ServerJars.ROCKETMQ,
        folder,
        with(tls(options), "-Xmx128m", "-XX:TieredStopAtLevel=1"),
        List.of("org.apache.rocketmq.namesrv.NamesrvStartup", "-c", file.toString()));
  }

  private LocalProcess broker(Programs programs, ServerOptions options, Path folder)
      throws IOException {
    Map<String, String> settings = settings(folder.resolve("store"));
    settings.putAll(options.durableOnDisk() ? Map.of() : RESTFUL);
    settings.putAll(options.settings());
    settings.keySet().removeIf(name -> name.startsWith(TLS));
    Path file = Files.writeString(folder.resolve("broker.conf"), text(settings));
    return java(
        programs,
        ServerJars.ROCKETMQ,
        folder,
        with(with(tls(options), "-Xmx512m", "-XX:MaxDirectMemorySize=256m"), options.compilation()),
        List.of("org.apache.rocketmq.broker.BrokerStartup", "-c", file.toString()));
  }

  /** What servers take as system properties. */
  private static List<String> tls(ServerOptions options) {
    return options.settings().entrySet().stream()
        .filter(setting -> setting.getKey().startsWith(TLS))
        .map(setting -> "-D" + setting.getKey() + "=" + setting.getValue())
        .toList();
  }

  private static List<String> with(List<String> some, String... more) {
    return with(some, List.of(more));
  }

  private static List<String> with(List<String> some, List<String> more) {
    return Stream.concat(some.stream(), more.stream()).toList();
  }

  private Map<String, String> settings(Path store) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("brokerClusterName", CLUSTER);
    settings.put("brokerName", "broker-a");
    settings.put("brokerId", "0");
    settings.put("brokerRole", "ASYNC_MASTER");
    settings.put("namesrvAddr", "127.0.0.1:" + nameServerPort);
    settings.put("brokerIP1", "127.0.0.1");
    settings.put("brokerIP2", "127.0.0.1");
    settings.put("bindAddress", "127.0.0.1");
    settings.put("listenPort", Integer.toString(port));
    settings.put("haListenPort", Integer.toString(replicationPort));
    settings.put("storePathRootDir", store.toString());
    settings.put("storePathCommitLog", store.resolve("commitlog").toString());
    settings.putAll(SMALL);
    settings.putAll(PATIENT);
    settings.putAll(CHECKSUMS);
    settings.putAll(LAZY);
    return settings;
  }

  /** Without, a message that a killed broker wrote in part may be there without its properties. */
  private static final Map<String, String> CHECKSUMS =
      Map.of("enabledAppendPropCRC", "true", "forceVerifyPropCRC", "true");

  /** Else a broker that stalled turns away what waited 200 ms for it, and more for a while. */
  private static final Map<String, String> PATIENT =
      Map.of("brokerFastFailureEnable", "false", "osPageCacheBusyTimeOutMills", "60000");

  /**
   * Keeps a broker that nobody uses from burning a processor (RocketMQ 5.5.0). Every second by
   * default, it compares the 37 MiB of its timers with their file, byte by byte; a restart reads
   * what came after the last comparison. And until it writes the counts of its transactions for the
   * first time, after ten seconds by default, a thread asks for the time in an endless loop.
   */
  private static final Map<String, String> LAZY =
      Map.of("timerFlushIntervalMs", "60000", "transactionMetricFlushInterval", "1000");

  /**
   * Else the first transaction that ends keeps a processor of the broker busy for ever: the thread
   * that notes ended ones takes a queue without any for one that is due (RocketMQ 5.5.0). Here each
   * is noted at once, and that thread is not called for anything else.
   */
  private static final Map<String, String> RESTFUL =
      Map.of("transactionOpBatchInterval", "86400000", "transactionOpMsgMaxSize", "1");

  /** Files of a size for tests, and no stop before the disk is really full. */
  private static final Map<String, String> SMALL =
      Map.of(
          "flushDiskType", "ASYNC_FLUSH",
          "mappedFileSizeCommitLog", "67108864",
          "mappedFileSizeConsumeQueue", "600000",
          "maxIndexNum", "100000",
          "maxHashSlotNum", "50000",
          "diskMaxUsedSpaceRatio", "99");

  /**
   * Prepares the proxy that gRPC clients speak to.
   *
   * @param grpcPort where it listens, on every interface: it has no setting for that
   * @param remotingPort where it serves the clients of the older protocol, likewise
   */
  ServerProcess grpcProxy(Programs programs, int grpcPort, int remotingPort) {
    ServerJars.ROCKETMQ_PROXY.requireAll();
    return inFolder(
        folder -> {
          String settings =
              """
              {"rocketMQClusterName": "%s", "namesrvAddr": "127.0.0.1:%d", "proxyMode": "CLUSTER",
               "grpcServerPort": %d, "remotingListenPort": %d}
              """
                  .formatted(CLUSTER, nameServerPort, grpcPort, remotingPort);
          Path file = Files.writeString(folder.resolve("rmq-proxy.json"), settings);
          return java(
              programs,
              ServerJars.ROCKETMQ_PROXY,
              folder,
              List.of(
                  "-Xmx256m", "-XX:TieredStopAtLevel=1", "-Dcom.rocketmq.proxy.configPath=" + file),
              List.of("org.apache.rocketmq.proxy.ProxyStartup", "-pm", "cluster"));
        });
  }

  /** A JVM that keeps its logs and caches in its own folder. */
  private static LocalProcess java(
      Programs programs, ServerJars jars, Path folder, List<String> options, List<String> program) {
    List<String> command = new ArrayList<>(programs.command("bin/java", List.of()));
    command.add("-Dtls.server.mode=disabled");
    command.add("-Dio.netty.handler.ssl.noOpenSsl=true"); // of another version than its Netty
    command.add("-Dtls.config.file=" + folder.resolve("tls.properties")); // not the machine's
    command.addAll(options);
    command.addAll(List.of("-XX:+UseSerialGC", "-Drocketmq.home.dir=" + folder));
    command.addAll(List.of("-Duser.home=" + folder, "-Djava.io.tmpdir=" + folder));
    OPENED.forEach(name -> command.addAll(List.of("--add-opens", name + "=ALL-UNNAMED")));
    command.addAll(List.of("-cp", jars.classPath()));
    command.addAll(program);
    return new LocalProcess(command, folder, "TERM", "KILL");
  }

  private static String text(Map<String, String> settings) {
    return settings.entrySet().stream()
        .map(entry -> entry.getKey() + "=" + entry.getValue().replace("\\", "\\\\"))
        .collect(Collectors.joining("\n", "", "\n"));
  }

  /** Makes something of a new folder. */
  private interface FolderUse<T> {
    T with(Path folder) throws IOException;
  }
}
