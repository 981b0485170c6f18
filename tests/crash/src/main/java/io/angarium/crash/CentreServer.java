package io.angarium.crash;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/** The message centre as its users start it, on one port, however often it is killed. */
final class CentreServer implements AutoCloseable {
  /** The API key that may do everything. */
  static final String KEY = "a-key-for-tests";

  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Path BUILT = Path.of("..", "..", "angarium-server", "target");
  private static final String RUNNING = "Angarium server is running";

  private final List<String> command;
  private final Path folder;
  private final int port;
  private final List<String> lines = new ArrayList<>();
  private @Nullable Process process;
  private int starts;

  /**
   * Describes one; nothing is started.
   *
   * @param folder where it runs
   * @param options besides the port and the API key
   */
  CentreServer(Path folder, int port, List<String> options) {
    this(folder, port, List.of("-cp", classPath(), "io.angarium.server.Server"), options);
  }

  /** Likewise, of the one jar that users copy. */
  static CentreServer ofOneJar(Path folder, int port, List<String> options) {
    return new CentreServer(folder, port, List.of("-jar", oneJar()), options);
  }

  private CentreServer(Path folder, int port, List<String> program, List<String> options) {
    this.folder = folder;
    this.port = port;
    this.command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx256m"));
    command.addAll(program);
    command.add("--server.port=" + port);
    command.add("--angarium.server.api-keys.tests.hashes=" + hash());
    command.add("--angarium.server.api-keys.tests.businesses=*");
    command.add("--angarium.server.api-keys.tests.destinations=*");
    command.add("--angarium.server.api-keys.tests.steps=prepare,commit,rollback,read,operate");
    command.addAll(options);
    Runtime.getRuntime().addShutdownHook(new Thread(this::kill, "kill-server-" + port));
  }

  private static String classPath() {
    try {
      return BUILT.resolve("classes").toAbsolutePath()
          + File.pathSeparator
          + Files.readString(BUILT.resolve("class-path.txt")).strip();
    } catch (IOException e) {
      throw new UncheckedIOException("Build the module angarium-server with Maven first", e);
    }
  }

  private static String oneJar() {
    try (DirectoryStream<Path> jars =
        Files.newDirectoryStream(BUILT, "angarium-server-*-app.jar")) {
      return jars.iterator().next().toAbsolutePath().toString();
    } catch (IOException | NoSuchElementException e) {
      throw new IllegalStateException("Package the module angarium-server with Maven first", e);
    }
  }

  private static String hash() {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(KEY.getBytes(StandardCharsets.UTF_8));
      return "sha256:" + HexFormat.of().formatHex(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  int port() {
    return port;
  }

  String address() {
    return "http://127.0.0.1:" + port;
  }

  /** Starts it, once more on the same port if it was killed, and does not wait. */
  CentreServer start() throws IOException {
    starts++;
    Process started =
        new ProcessBuilder(command).directory(folder.toFile()).redirectErrorStream(true).start();
    process = started;
    ChildJvm.read(started, this::add);
    return this;
  }

  /** Waits until it takes calls. */
  CentreServer awaitRunning() {
    Waiting.until(LIMIT, () -> count(RUNNING) == starts, () -> "It does not run: " + lines);
    return this;
  }

  private synchronized void add(String line) {
    lines.add(line);
  }

  /** How many lines of its log have this in them. */
  synchronized int count(String part) {
    return (int) lines.stream().filter(line -> line.contains(part)).count();
  }

  /** SIGKILL; returns when it is gone. */
  void kill() {
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
  }

  @Override
  public void close() {
    kill();
  }
}
