package io.angarium.recipes.kubernetes;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A pod as a process of its own. Thread-safe. */
final class PodProcess implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofMinutes(4);
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final Process process;
  private final CompletableFuture<Integer> port = new CompletableFuture<>();
  private final List<String> output = new ArrayList<>();

  private PodProcess(Process process) {
    this.process = process;
    Thread reader = new Thread(this::read, "pod-output");
    reader.setDaemon(true);
    reader.start();
  }

  static PodProcess start(List<String> arguments, Map<String, String> environment) {
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                Pod.class.getName()));
    command.addAll(Pod.settings());
    command.addAll(arguments);
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    builder.environment().putAll(environment);
    try {
      return new PodProcess(builder.start());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void read() {
    try (BufferedReader lines = process.inputReader(UTF_8)) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        synchronized (output) {
          output.add(line);
        }
        if (line.startsWith(Pod.READY)) {
          port.complete(Integer.valueOf(line.substring(Pod.READY.length())));
        }
      }
      port.completeExceptionally(new IllegalStateException("It has ended"));
    } catch (IOException e) {
      port.completeExceptionally(e);
    }
  }

  String output() {
    synchronized (output) {
      return String.join("\n", output);
    }
  }

  PodProcess awaitReady() throws InterruptedException {
    try {
      port.get(START_LIMIT.toSeconds(), TimeUnit.SECONDS);
      return this;
    } catch (ExecutionException | TimeoutException e) {
      throw new IllegalStateException("The pod did not start: " + output(), e);
    }
  }

  /** The status of an answer; an {@link IOException} if there is none. */
  int post(String path) throws IOException, InterruptedException {
    return HTTP.send(
            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.join() + path))
                .POST(HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofMinutes(1))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }

  /** Sends SIGTERM, as Kubernetes does; {@link Process#destroy} would close its streams as well. */
  void terminate() {
    process.toHandle().destroy();
  }

  /** Whether it has ended in time. */
  boolean ends(Duration limit) throws InterruptedException {
    return process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  int exitCode() {
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
