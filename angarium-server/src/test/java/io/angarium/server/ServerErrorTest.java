package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.web.servlet.function.RouterFunction;
import org.springframework.web.servlet.function.RouterFunctions;
import org.springframework.web.servlet.function.ServerResponse;

/** A class that is missing in the middle of a request must not leave its caller waiting. */
class ServerErrorTest {
  /** Without an annotation of its own: other tests would find it. */
  static class Broken {
    @Bean
    RouterFunction<ServerResponse> broken() {
      return RouterFunctions.route()
          .POST(
              "/v1/broken",
              request -> {
                throw new NoClassDefFoundError("org/example/Missing");
              })
          .build();
    }
  }

  @Test
  void requestThatMeetsAnErrorOfTheMachineIsAnsweredAndTheNextOneWorks() {
    try (ServerUnderTest server =
        ServerUnderTest.open(
            "angarium.relay.enabled=false", "spring.main.sources=" + Broken.class.getName())) {
      HttpResponse<String> answer =
          server.send(
              server
                  .request("/v1/broken")
                  .timeout(Duration.ofSeconds(60))
                  .POST(BodyPublishers.noBody()));

      assertThat(answer.statusCode()).isEqualTo(500);
      assertThat(answer.body()).doesNotContain("Missing", "NoClassDef");
      assertThat(server.send(server.request("/actuator/health")).statusCode()).isEqualTo(200);
    }
  }
}
