package io.angarium.benchmarks.naive;

import io.angarium.benchmarks.arm.ArmProgram;
import io.angarium.benchmarks.arm.ArmSettings;
import io.angarium.benchmarks.arm.BusinessDatabase;
import io.angarium.benchmarks.arm.HalfByHand;
import io.angarium.benchmarks.arm.Outgoing;
import io.angarium.benchmarks.arm.ServerChild;
import io.angarium.benchmarks.arm.SilentArm;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Calls {@link NaiveServer}: a request for each call, on connections that are kept. */
public final class NaiveArm extends SilentArm {
  private static final int HTTP_OK = 200;

  private final ServerChild server;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  NaiveArm(ArmSettings settings) throws SQLException, IOException {
    super(BusinessDatabase.create(settings, 2));
    new HalfByHand(database.dataSource()).create(settings.database());
    database.transact(NaiveArm::createIndex);
    this.server =
        ServerChild.start(
            NaiveServer.class.getName(),
            List.of(
                "--server.address=127.0.0.1",
                "--server.port=0",
                "--logging.level.root=error",
                "--spring.main.banner-mode=off",
                "--spring.threads.virtual.enabled=true",
                "--spring.datasource.hikari.maximum-pool-size=32",
                "--naive.broker=" + settings.brokerAddress(),
                "--naive.topic=" + settings.topic(),
                "--spring.datasource.url=" + settings.url(),
                "--spring.datasource.username=" + settings.user(),
                "--spring.datasource.password=" + settings.password()));
  }

  private static void createIndex(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE INDEX raw_half_to_send ON raw_half (state, send_state, id)");
    }
  }

  /** Obeys the harness. */
  public static void main(String[] args) throws IOException {
    ArmProgram.run(NaiveArm::new);
  }

  @Override
  public void transact(long businessId, List<Outgoing> messages) throws Exception {
    for (Outgoing message : messages) {
      post("prepare", message.number(), BodyPublishers.ofByteArray(message.payload()));
      post("commit", message.number(), BodyPublishers.noBody());
    }
  }

  private void post(String call, long number, BodyPublisher body) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(server.address() + "/" + call + "/" + number))
            .POST(body)
            .build();
    HttpResponse<Void> response = client.send(request, BodyHandlers.discarding());
    if (response.statusCode() != HTTP_OK) {
      throw new IllegalStateException(call + " " + number + ": " + response.statusCode());
    }
  }

  @Override
  public long left() throws SQLException {
    return database.number("SELECT count(*) FROM raw_half WHERE state = 2");
  }

  @Override
  public void close() {
    server.close();
    super.close();
  }
}
