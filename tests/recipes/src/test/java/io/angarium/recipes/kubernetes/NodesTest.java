package io.angarium.recipes.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.recipes.Application;
import io.angarium.relay.Relay;
import io.angarium.relay.settings.RelayConfig;
import io.angarium.spring.operate.RelayLifecycle;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.SharedServers;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;

@RequiresServer({Server.POSTGRESQL, Server.KAFKA})
class NodesTest {
  private static final int ALL = 64 + 16; // the defaults of Partitioning
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private final Application pod =
      Application.of(Pod.class).withoutJpa().on(SharedServers.postgres().freshDatabase());

  private final List<ConfigurableApplicationContext> started = new ArrayList<>();

  @AfterEach
  void close() {
    started.forEach(ConfigurableApplicationContext::close);
  }

  @Test
  void podsNeedNoSettingsToShareTheWork() throws UnknownHostException {
    ConfigurableApplicationContext first = start();
    ConfigurableApplicationContext second = start();

    String host = InetAddress.getLocalHost().getHostName();
    assertThat(name(first)).startsWith(host + "-").isNotEqualTo(name(second));
    assertThat(name(second)).startsWith(host + "-");
    await(() -> partitions(second) > 0 && partitions(first) + partitions(second) == ALL);
    assertThat(partitions(first)).isPositive();

    first.close();

    await(() -> partitions(second) == ALL);
  }

  @Test
  void podWithTheNameOfALiveOneRelaysNothingUntilThatOneEnds() {
    pod.with("angarium.relay.node=shop");
    ConfigurableApplicationContext first = start();
    ConfigurableApplicationContext second = start();

    assertThat(partitions(first)).isEqualTo(ALL);
    assertThat(partitions(second)).isZero();
    assertThat(health(first)).isEqualTo(Status.UP);
    assertThat(health(second)).isEqualTo(Status.DOWN);

    first.close();

    await(() -> partitions(second) == ALL);
    assertThat(health(second)).isEqualTo(Status.UP);
  }

  private ConfigurableApplicationContext start() {
    ConfigurableApplicationContext context = pod.start();
    started.add(context);
    return context;
  }

  private static String name(ConfigurableApplicationContext pod) {
    return pod.getBean(RelayConfig.class).node();
  }

  private static int partitions(ConfigurableApplicationContext pod) {
    return pod.getBean(RelayLifecycle.class).relay().map(Relay::partitions).orElse(0);
  }

  private static Status health(ConfigurableApplicationContext pod) {
    return pod.getBean(HealthEndpoint.class).healthForPath("angarium").getStatus();
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
      LockSupport.parkNanos(Duration.ofMillis(10).toNanos());
    }
  }
}
