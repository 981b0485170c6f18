package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The embedded database when its disk is full. The operating system refuses to let the files of the
 * server's process grow ({@code RLIMIT_FSIZE}, set from outside on the running process), so that
 * the write of H2 fails in {@code pwrite} as it does on a full disk, with the next number of error:
 * EFBIG for ENOSPC. H2 closes the database for either.
 */
class ServerFullDiskTest {
  private static final String LOG = "log:orders";
  private static final int CALLS_MAX = 50;

  @TempDir private Path folder;

  private final HttpClient client = HttpClient.newHttpClient();

  @Test
  void serverGoesOnByItselfOnceThereIsSpace() throws Exception {
    try (ServerProcess server = new ServerProcess(folder, List.of("--server.port=0"))) {
      String address = server.address();
      List<String> stored = new ArrayList<>();
      assertThat(prepare(address, "first", 10)).isEqualTo(200);
      stored.add("first");

      limitFiles(server, databaseBytes() + 200_000 + ":unlimited");
      String refused = fill(address, stored);
      server.awaitOutput("The database cannot be used; trying again.");
      assertThat(prepare(address, "meanwhile", 10)).isEqualTo(503);
      limitFiles(server, "unlimited:unlimited");

      awaitTaken("PUT", address, refused);
      stored.add(refused);
      for (String key : stored) {
        awaitTaken("POST", address, key + "/commit");
      }
      server.awaitOutput("Received");
      awaitHealth(address);
      server.awaitOutput("The database works again.");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"SHUTDOWN", "SHUTDOWN IMMEDIATELY"})
  void databaseThatSomebodyClosedIsOpenedAgain(String statement) throws Exception {
    try (ServerUnderTest server =
        ServerUnderTest.first(
            "spring.datasource.url=jdbc:h2:file:"
                + folder
                + "/outbox;WRITE_DELAY=0;DB_CLOSE_ON_EXIT=FALSE")) {
      assertThat(prepare(server.address(), "before", 10)).isEqualTo(200);

      close(server.bean(DataSource.class), statement);

      awaitTaken("POST", server.address(), "before/commit");
      awaitTaken("PUT", server.address(), "after");
      awaitHealth(server.address());
    }
  }

  private static void close(DataSource database, String statement) {
    try (Connection connection = database.getConnection();
        Statement closing = connection.createStatement()) {
      closing.execute(statement);
    } catch (SQLException e) {
      assertThat(e.getErrorCode()).as("database or connection closed already").isIn(90121, 90007);
    }
  }

  /** Gives the key of the first call that was refused. */
  private String fill(String address, List<String> stored) throws Exception {
    for (int i = 0; i < CALLS_MAX; i++) {
      String key = "k" + i;
      int status = prepare(address, key, 100_000);
      if (status == 503) {
        return key;
      }
      assertThat(status).isEqualTo(200);
      stored.add(key);
    }
    throw new AssertionError("The files grew though they must not");
  }

  /** As callers do: what is answered by 503 is repeated. */
  private void awaitTaken(String method, String address, String path) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    int status = call(method, address, path, "x");
    while (status == 503) {
      assertThat(System.nanoTime()).as("still refused").isLessThan(deadline);
      LockSupport.parkNanos(100_000_000);
      status = call(method, address, path, "x");
    }
    assertThat(status).as(path).isEqualTo(200);
  }

  private void awaitHealth(String address) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    HttpRequest asked =
        HttpRequest.newBuilder(URI.create(address + "/actuator/health")).GET().build();
    while (client.send(asked, BodyHandlers.ofString()).statusCode() != 200) {
      assertThat(System.nanoTime()).as("still down").isLessThan(deadline);
      LockSupport.parkNanos(100_000_000);
    }
  }

  private int prepare(String address, String key, int bytes) throws Exception {
    return call("PUT", address, key, "x".repeat(bytes));
  }

  private int call(String method, String address, String key, String body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + "/v1/half-messages/order/" + key))
            .header("Content-Type", "text/plain")
            .method(method, BodyPublishers.ofString(body))
            .build();
    HttpRequest.Builder prepared = HttpRequest.newBuilder(request, (name, value) -> true);
    if (method.equals("PUT")) {
      prepared.header("Angarium-Destination", LOG);
    }
    return client.send(prepared.build(), BodyHandlers.ofString()).statusCode();
  }

  private long databaseBytes() throws IOException {
    return Files.size(folder.resolve("angarium-data/outbox.mv.db"));
  }

  private static void limitFiles(ServerProcess server, String limit) throws Exception {
    Process prlimit =
        new ProcessBuilder("prlimit", "--pid", "" + server.pid(), "--fsize=" + limit)
            .inheritIO()
            .start();
    assertThat(prlimit.waitFor()).isZero();
  }
}
