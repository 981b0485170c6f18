package io.angarium.recipes.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.recipes.Application;
import io.angarium.spring.operate.RelayLifecycle;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

@RequiresServer({Server.POSTGRESQL, Server.KAFKA})
class PodStartTest {
  private static final Duration END_LIMIT = Duration.ofMinutes(1);
  private static final String SERVICE = "tcp://10.0.0.1:8080";

  private final Application pod = Application.of(Pod.class).withoutJpa();

  @Test
  void relayRunsBeforeThePodIsReady() {
    String[] arguments = pod.on(SharedServers.postgres().freshDatabase()).arguments();

    try (ConfigurableApplicationContext context =
        new SpringApplicationBuilder(Pod.class, Witness.class)
            .web(WebApplicationType.NONE)
            .run(arguments)) {
      assertThat(context.getBean(Witness.class).runningWhenReady).containsExactly(true);
    }
  }

  static final class Witness {
    private final List<Boolean> runningWhenReady = new ArrayList<>();
    private final RelayLifecycle relay;

    Witness(RelayLifecycle relay) {
      this.relay = relay;
    }

    @EventListener
    void changed(AvailabilityChangeEvent<ReadinessState> event) {
      if (event.getState() == ReadinessState.ACCEPTING_TRAFFIC) {
        runningWhenReady.add(relay.isRunning());
      }
    }
  }

  @Test
  void linkToAServiceNamedServerIsTakenForThePort() throws InterruptedException {
    List<String> arguments = List.of(pod.on(SharedServers.postgres().freshDatabase()).arguments());

    try (PodProcess started = PodProcess.start(arguments, Map.of("SERVER_PORT", SERVICE))) {
      assertThatThrownBy(started::awaitReady)
          .hasMessageContaining("server.port")
          .hasMessageContaining(SERVICE);
      assertThat(started.ends(END_LIMIT)).isTrue();
      assertThat(started.exitCode()).isEqualTo(1);
    }
  }

  @Test
  void podWhoseDatabaseIsAwayEnds() throws InterruptedException {
    List<String> arguments =
        List.of(
            pod.onTheWeb()
                .with("spring.datasource.url=jdbc:postgresql://127.0.0.1:1/none")
                .arguments());

    try (PodProcess started = PodProcess.start(arguments, Map.of())) {
      assertThatThrownBy(started::awaitReady).hasMessageContaining("127.0.0.1:1");
      assertThat(started.ends(END_LIMIT)).isTrue();
      assertThat(started.exitCode()).isEqualTo(1);
    }
  }
}
