package io.angarium.console;

import io.angarium.console.access.ConsoleAccess;
import io.angarium.console.settings.ConsoleDatabase;
import io.angarium.console.settings.ConsoleSettings;
import io.angarium.testkit.ManualClock;
import io.angarium.testkit.board.InMemoryNodeBoard;
import io.angarium.testkit.report.InMemoryReports;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.startup.Tomcat;
import org.jspecify.annotations.Nullable;

/** A console below a path of a servlet container. Not thread-safe. */
final class ConsoleUnderTest implements AutoCloseable {
  static final String CONTEXT = "/shop";
  private static final String PATH = "/console/";

  final FakeDesk desk = new FakeDesk();
  final FakeAlerts alerts = new FakeAlerts(desk);
  final InMemoryNodeBoard board;
  final FakeHalves halves;
  final ManualClock clock;
  final List<String> resent = new ArrayList<>();
  final InMemoryReports reports;
  final OperatorConsole console;
  private final Tomcat tomcat = new Tomcat();
  private final HttpClient client = HttpClient.newHttpClient();

  ConsoleUnderTest(ManualClock clock, ConsoleSettings settings, ConsoleAccess... ways) {
    this.clock = clock;
    this.halves = new FakeHalves(clock);
    this.board = new InMemoryNodeBoard(clock);
    this.reports =
        new InMemoryReports(
            clock,
            ids -> {
              resent.addAll(ids);
              return ids.size();
            });
    this.console =
        new OperatorConsole(
            settings,
            List.of(
                new ConsoleDatabase(
                        ConsoleDatabase.DEFAULT, "H2", false, desk, null, List.of(), alerts, board)
                    .confirmations(new FakeConfirmations())
                    .reports(reports)
                    .operations(desk.operations),
                new ConsoleDatabase("plain", "H2", false, desk, null, List.of(), null, null),
                new ConsoleDatabase("halves", "H2", false, desk, halves.desk, List.of(), null, null)
                    .trial(halves)),
            List.of(ways),
            clock);
    tomcat.setBaseDir(System.getProperty("java.io.tmpdir"));
    tomcat.setPort(0);
    tomcat.getConnector().setProperty("address", "127.0.0.1");
    Context context =
        tomcat.addContext(CONTEXT, new File(System.getProperty("java.io.tmpdir")).getPath());
    Tomcat.addServlet(context, "console", new Serving(console));
    context.addServletMappingDecoded(PATH + "*", "console");
    try {
      tomcat.start();
    } catch (LifecycleException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Serving extends HttpServlet {
    private static final long serialVersionUID = 1;

    private final transient OperatorConsole console;

    Serving(OperatorConsole console) {
      this.console = console;
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response)
        throws IOException {
      console.handle(request, response, String.valueOf(request.getPathInfo()).substring(1));
    }
  }

  String authority() {
    return "127.0.0.1:" + tomcat.getConnector().getLocalPort();
  }

  /** A request for a path below the console. */
  HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://" + authority() + CONTEXT + PATH + path));
  }

  HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return client.send(request.build(), BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  /** A call of the API. */
  HttpResponse<String> call(
      @Nullable String key, String method, String path, @Nullable String body) {
    HttpRequest.Builder request =
        request("api/v1/" + path)
            .header("Angarium-Console", "1")
            .header("Content-Type", "application/json")
            .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
    return send(key == null ? request : request.header("Authorization", "Bearer " + key));
  }

  @Override
  public void close() {
    try {
      tomcat.stop();
      tomcat.destroy();
    } catch (LifecycleException e) {
      throw new IllegalStateException(e);
    }
  }
}
