package io.angarium.testservers;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A running Prometheus that scrapes one address every second, with a database of its own. Ends with
 * this JVM at the latest, however the JVM ends. Thread-safe.
 */
public final class PrometheusServer extends RunningServer {
  private static final String PROGRAM = "prometheus";
  private static final String TOOL = "promtool";
  private static final Duration TOOL_LIMIT = Duration.ofMinutes(5);
  private static final Pattern VERSION = Pattern.compile("\"version\":\"([^\"]+)\"");

  private final HttpClient client = HttpClient.newHttpClient();
  private final int port;

  private PrometheusServer(ServerProcess process, int port) {
    super(Server.PROMETHEUS, Origin.INSTALLED, process);
    this.port = port;
    begin();
  }

  /**
   * Starts the Prometheus that is installed.
   *
   * @param job the name of what it scrapes
   * @param metrics where it finds metrics, over HTTP
   * @throws ServerUnavailableException when it cannot be had here; the message says what is missing
   */
  public static PrometheusServer start(String job, URI metrics) {
    Programs programs = ProgramSource.first(Server.PROMETHEUS, sources(), Set.of(Origin.INSTALLED));
    return FreePort.using(
        1,
        ports -> {
          int port = ports.get(0);
          ServerProcess process =
              ServerFolders.filling(
                  ServerFolders.createFor(Server.PROMETHEUS),
                  folder -> prepare(programs, folder, job, metrics, port));
          return new PrometheusServer(process, port);
        });
  }

  /**
   * Runs {@code promtool}, which checks and tests files. Blocks.
   *
   * @param folder where it runs
   * @param arguments as of a command line, e.g. {@code check}, {@code rules} and a file
   * @return what it printed
   * @throws ServerUnavailableException when it cannot be had here, or found a fault; the message
   *     says which
   */
  public static String promtool(Path folder, String... arguments) {
    Programs programs = ProgramSource.first(Server.PROMETHEUS, sources(), Set.of(Origin.INSTALLED));
    List<String> version = programs.command(TOOL, List.of("--version"));
    Matcher told =
        Pattern.compile("version (\\S+)").matcher(Shell.run(folder, TOOL_LIMIT, version));
    ServerCoverage.used(
        Server.PROMETHEUS, told.find() ? told.group(1) : "unknown", Origin.INSTALLED);
    return Shell.run(folder, TOOL_LIMIT, programs.command(TOOL, List.of(arguments)));
  }

  static List<ProgramSource> sources() {
    return List.of(new ProgramSource(Origin.INSTALLED, PrometheusServer::installed));
  }

  /** Both come in one package everywhere. */
  private static Programs installed() {
    Path program =
        InstalledPrograms.program(PROGRAM)
            .filter(found -> found.resolveSibling(TOOL).toFile().canExecute())
            .orElseThrow(
                () ->
                    new ServerUnavailableException(
                        "no prometheus with promtool; on Debian: apt-get install prometheus"));
    return Programs.of(Origin.INSTALLED, Objects.requireNonNull(program.getParent()));
  }

  private static ServerProcess prepare(
      Programs programs, Path folder, String job, URI metrics, int port) {
    Path file = folder.resolve("prometheus.yml");
    try {
      Files.writeString(
          file,
          """
          global:
            scrape_interval: 1s
          scrape_configs:
            - job_name: "%s"
              metrics_path: "%s"
              static_configs:
                - targets: ["%s"]
          """
              .formatted(job, metrics.getPath(), metrics.getAuthority()));
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot write " + file, e);
    }
    List<String> arguments =
        List.of(
            "--config.file=" + file,
            "--storage.tsdb.path=" + folder.resolve("data"),
            "--web.listen-address=127.0.0.1:" + port,
            "--log.level=warn");
    return new LocalProcess(
        new ArrayList<>(programs.command(PROGRAM, arguments)), folder, "TERM", "KILL");
  }

  @Override
  String askVersion() throws IOException {
    ask("/-/ready", HttpRequest.newBuilder().GET());
    Matcher told = VERSION.matcher(ask("/api/v1/status/buildinfo", HttpRequest.newBuilder().GET()));
    return told.find() ? told.group(1) : "unknown";
  }

  /**
   * Asks for an expression at this moment. Blocks.
   *
   * @return the answer in JSON
   * @throws IllegalStateException if it was refused; the message says why
   */
  public String query(String expression) {
    String form = "query=" + URLEncoder.encode(expression, UTF_8);
    HttpRequest.Builder request =
        HttpRequest.newBuilder()
            .header("Content-Type", "application/x-www-form-urlencoded")
            .POST(BodyPublishers.ofString(form));
    try {
      return ask("/api/v1/query", request);
    } catch (IOException e) {
      throw new IllegalStateException(expression + ": " + e.getMessage(), e);
    }
  }

  private String ask(String path, HttpRequest.Builder request) throws IOException {
    URI uri = URI.create("http://" + host() + ":" + port + path);
    try {
      HttpResponse<String> answer =
          client.send(
              request.uri(uri).timeout(Duration.ofSeconds(30)).build(), BodyHandlers.ofString());
      if (answer.statusCode() != 200) {
        throw new IOException(answer.statusCode() + " " + answer.body());
      }
      return answer.body();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while asking Prometheus", e);
    }
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String host() {
    return "127.0.0.1";
  }
}
