package io.angarium.recipes.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.recipes.Application;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import io.angarium.testservers.TestDatabase;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

@RequiresServer({Server.POSTGRESQL, Server.KAFKA})
class ProbesTest {
  private static final int UP = 200;
  private static final int DOWN = 503;
  private static final String EVERYTHING = "/actuator/health";

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  /** A group with the database, which the page leaves to the reader. */
  private static final String WITH_DATABASE = "/actuator/health/with-database";

  private static final Duration LIMIT = Duration.ofMinutes(2);

  @Test
  void neitherBrokerNorDatabaseRestartsAPod() throws IOException, InterruptedException {
    Deployment deployment = Deployment.read();
    TestDatabase database = SharedServers.postgres().freshDatabase();
    try (FaultProxy proxy = FaultProxy.to(SharedServers.postgres());
        ConfigurableApplicationContext pod = start(database.through(proxy))) {
      assertThat(get(pod, deployment.path("livenessProbe")).statusCode()).isEqualTo(UP);
      assertThat(get(pod, deployment.path("readinessProbe")).statusCode()).isEqualTo(UP);
      assertThat(get(pod, WITH_DATABASE).statusCode()).isEqualTo(UP);
      assertThat(get(pod, EVERYTHING).statusCode())
          .as("messages wait for the broker")
          .isEqualTo(UP);

      proxy.refuse();
      proxy.cutAll();

      assertThat(get(pod, EVERYTHING).statusCode()).as("nothing can be sent").isEqualTo(DOWN);
      assertThat(get(pod, WITH_DATABASE).statusCode()).isEqualTo(DOWN);
      assertThat(get(pod, deployment.path("livenessProbe")).statusCode()).isEqualTo(UP);
      assertThat(get(pod, deployment.path("readinessProbe")).statusCode()).isEqualTo(UP);
      assertThat(get(pod, deployment.path("startupProbe")).statusCode()).isEqualTo(UP);
    }
  }

  @Test
  void podWithoutBrokerAcceptsMessagesAndShowsTheCircuit() throws Exception {
    TestDatabase database = SharedServers.postgres().freshDatabase();
    database.execute(
        "CREATE TABLE customer (id VARCHAR(20) PRIMARY KEY, orders INT NOT NULL)",
        "INSERT INTO customer VALUES ('ada', 0)");
    try (ConfigurableApplicationContext pod = start(database)) {
      HttpRequest order =
          HttpRequest.newBuilder(address(pod, "/orders/ada"))
              .POST(HttpRequest.BodyPublishers.noBody())
              .build();

      assertThat(HTTP.send(order, HttpResponse.BodyHandlers.ofString()).statusCode()).isEqualTo(UP);

      HttpResponse<String> health = get(pod, EVERYTHING);
      long deadline = System.nanoTime() + LIMIT.toNanos();
      while (!health.body().contains("\"circuits\":{\"kafka:" + Orders.TOPIC + "\"")) {
        assertThat(System.nanoTime()).as(health.body()).isLessThan(deadline);
        LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        health = get(pod, EVERYTHING);
      }
      assertThat(health.statusCode()).isEqualTo(UP);
    }
  }

  private static ConfigurableApplicationContext start(TestDatabase database) {
    return Application.of(Pod.class)
        .withoutJpa()
        .on(database)
        .with("spring.config.additional-location=classpath:kubernetes/")
        .with("spring.kafka.bootstrap-servers=127.0.0.1:1") // nobody is there
        .with("spring.datasource.hikari.connection-timeout=500")
        .with("angarium.relay.close-timeout=0s")
        .with("management.endpoint.health.show-details=always")
        .with("management.endpoint.health.group.with-database.include=readinessState,db")
        .onTheWeb()
        .start();
  }

  private static HttpResponse<String> get(ConfigurableApplicationContext pod, String path)
      throws IOException, InterruptedException {
    return HTTP.send(
        HttpRequest.newBuilder(address(pod, path)).build(), HttpResponse.BodyHandlers.ofString());
  }

  private static URI address(ConfigurableApplicationContext pod, String path) {
    String port = pod.getEnvironment().getRequiredProperty("local.server.port");
    return URI.create("http://127.0.0.1:" + port + path);
  }
}
