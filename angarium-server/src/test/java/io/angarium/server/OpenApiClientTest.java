package io.angarium.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The client that openapi-generator makes of openapi.json compiles, and what it is given arrives,
 * in a process without classes of this build.
 */
class OpenApiClientTest {
  private static final Path GENERATED = Path.of("target/openapi-client/src/main/java");
  private static final Path SHOP = Path.of("src/test/resources/openapi-client/Shop.java");

  private final BlockingQueue<Received> received = new LinkedBlockingQueue<>();

  @TempDir Path classes;

  /** What came to the hook. */
  private record Received(String contentType, String type, String bytes) {}

  @Test
  void storesWhatTheCallerGave() throws Exception {
    compile();
    HttpServer hook =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    hook.createContext(
        "/",
        exchange -> {
          try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            String contentType = exchange.getRequestHeaders().getFirst("content-type");
            String type = exchange.getRequestHeaders().getFirst("ce-type");
            received.add(new Received(contentType, type, Arrays.toString(body)));
            exchange.sendResponseHeaders(204, -1);
          }
        });
    hook.start();
    String host = "127.0.0.1:" + hook.getAddress().getPort();
    try (ServerUnderTest server = ServerUnderTest.open("angarium.http.allowed-hosts=" + host)) {
      List<String> answers = run(server.address(), "http://" + host + "/");

      assertThat(answers).containsExactly("PREPARED", "COMMITTED", "UNKNOWN", "2", "404 true");
      String json = Arrays.toString("{\"name\":\"s\u00fcd \u20ac\"}".getBytes(UTF_8));
      assertThat(List.of(next(), next()))
          .containsExactlyInAnyOrder(
              new Received("application/json", "order-paid", json),
              new Received("application/json", "angarium.message", "[0, -1, 1]"));
    } finally {
      hook.stop(0);
    }
  }

  private Received next() throws InterruptedException {
    return Objects.requireNonNull(received.poll(1, TimeUnit.MINUTES), "nothing came");
  }

  private void compile() throws IOException {
    List<String> arguments =
        new ArrayList<>(
            List.of("-proc:none", "-nowarn", "-d", classes.toString(), "-cp", libraries()));
    arguments.add(SHOP.toString());
    try (Stream<Path> files = Files.walk(GENERATED)) {
      files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(arguments::add);
    }
    int exitCode =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, arguments.toArray(String[]::new));
    assertThat(exitCode).as("the compiler's exit code").isZero();
  }

  /** Those of the client, of those of this test. */
  private static String libraries() {
    return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
        .filter(entry -> entry.matches(".*/(jackson-|jakarta.annotation-api).*\\.jar"))
        .collect(Collectors.joining(File.pathSeparator));
  }

  /** Runs it to its end; what it was answered. */
  private List<String> run(String... arguments) throws IOException, InterruptedException {
    Path output = classes.resolve("output.txt");
    List<String> command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classes + File.pathSeparator + libraries(),
                "Shop"));
    command.addAll(List.of(arguments));
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      assertThat(process.waitFor(2, TimeUnit.MINUTES)).as("has ended").isTrue();
    } finally {
      process.destroyForcibly();
    }
    String printed = Files.readString(output);
    assertThat(process.exitValue()).as(printed).isZero();
    return printed
        .lines()
        .filter(line -> line.startsWith("> "))
        .map(line -> line.substring(2))
        .toList();
  }
}
