package io.angarium.recipes.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.recipes.Application;
import io.angarium.testservers.FaultProxy;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

@RequiresServer({Server.POSTGRESQL, Server.KAFKA})
class ProbesTest {
  private static final int UP = 200;
  private static final int DOWN = 503;
  private static final String EVERYTHING = "/actuator/health";

  private static final HttpClient HTTP = HttpClient.newHttpClient();

  @Test
  void neitherBrokerNorDatabaseRestartsAPod() throws IOException, InterruptedException {
    Deployment deployment = Deployment.read();
    try (FaultProxy database = FaultProxy.to(SharedServers.postgres());
        ConfigurableApplicationContext pod =
            Application.of(Pod.class)
                .withoutJpa()
                .on(SharedServers.postgres().freshDatabase().through(database))
                .with("spring.config.additional-location=classpath:kubernetes/")
                .with("spring.kafka.bootstrap-servers=127.0.0.1:1") // nobody is there
                .with("spring.datasource.hikari.connection-timeout=500")
                .with("angarium.relay.close-timeout=0s")
                .onTheWeb()
                .start()) {
      assertThat(answer(pod, deployment.path("livenessProbe"))).isEqualTo(UP);
      assertThat(answer(pod, deployment.path("readinessProbe"))).isEqualTo(UP);
      assertThat(answer(pod, EVERYTHING)).as("messages wait for the broker").isEqualTo(UP);

      database.refuse();
      database.cutAll();

      assertThat(answer(pod, EVERYTHING)).as("nothing can be sent").isEqualTo(DOWN);
      assertThat(answer(pod, deployment.path("livenessProbe"))).isEqualTo(UP);
      assertThat(answer(pod, deployment.path("readinessProbe"))).isEqualTo(UP);
      assertThat(answer(pod, deployment.path("startupProbe"))).isEqualTo(UP);
    }
  }

  private static int answer(ConfigurableApplicationContext pod, String path)
      throws IOException, InterruptedException {
    String port = pod.getEnvironment().getRequiredProperty("local.server.port");
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    return HTTP.send(request, HttpResponse.BodyHandlers.discarding()).statusCode();
  }
}
