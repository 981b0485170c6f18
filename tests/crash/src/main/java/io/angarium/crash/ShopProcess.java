package io.angarium.crash;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A process that runs {@link Shop}. Not thread-safe: one thread at a time. */
final class ShopProcess {
  private static final int LIMIT_SECONDS = 90;

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private ShopProcess(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "output of a shop");
    reader.setDaemon(true);
    reader.start();
  }

  static ShopProcess start(List<String> arguments) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx192m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn",
            "-cp",
            System.getProperty("java.class.path"),
            Shop.class.getName()));
    command.addAll(arguments);
    return new ShopProcess(
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  private void read() {
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        lines.add(line);
      }
    } catch (IOException e) {
      // the process is gone
    }
  }

  /** Waits for a line that begins so; the lines before it are dropped. */
  void await(String beginning) throws InterruptedException {
    @Nullable String line = lines.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    while (line != null && !line.startsWith(beginning)) {
      line = lines.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
    if (line == null) {
      throw new IllegalStateException("No line '" + beginning + "' from a shop");
    }
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }
}
