package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.trustmessage.middlewareapi.service.VerifyMessageService;
import io.angarium.Message;
import io.angarium.dubbo.DubboHalfConfig;
import io.angarium.dubbo.DubboHalfMessages;
import io.angarium.dubbo.DubboServer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfMessages;
import io.angarium.half.HalfState;
import io.angarium.intake.MessageIntake;
import io.angarium.testservers.ZooKeeper;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server and its producers find each other through a real ZooKeeper. */
class ServerDubboRegistryTest {
  private static final int COMMITTED = 2;
  private static final HalfKey KEY = new HalfKey("7", "4711");
  private static final HalfMessage MESSAGE =
      HalfMessage.of(KEY, Message.of("log:orders", new byte[1]));

  private ZooKeeper registry;
  private ServerUnderTest server;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    registry = ZooKeeper.start(folder);
    server =
        ServerUnderTest.open(
            "angarium.server.api-keys.tests.hashes=" + ServerUnderTest.HASH,
            "angarium.server.api-keys.tests.businesses=7",
            "angarium.server.api-keys.tests.destinations=log:orders",
            "angarium.server.dubbo.enabled=true",
            "angarium.server.dubbo.port=" + DubboShop.freePort(),
            "angarium.server.dubbo.trust-message.enabled=false",
            "angarium.server.dubbo.registries=" + registry.address(),
            "angarium.server.check-back.dubbo.allowed-addresses=" + registry.address(),
            "angarium.half.check.first=1s",
            "angarium.half.check.min-pause=100ms",
            "angarium.half.check.unreachable-max-pause=200ms");
  }

  @AfterEach
  void stop() {
    try {
      if (server != null) { // null if it did not start
        server.close();
      }
    } finally {
      registry.close();
    }
  }

  @Test
  void clientFindsTheServerInTheRegistry() {
    DubboHalfConfig config =
        DubboHalfConfig.of(registry.address())
            .apiKey(ServerUnderTest.KEY)
            .answer(Duration.ofMinutes(2));
    try (DubboHalfMessages half = DubboHalfMessages.open(config, MessageIntake.of(null))) {
      assertThat(half.prepare(MESSAGE)).isEqualTo(HalfState.PREPARED);
      assertThat(half.commit(KEY)).isEqualTo(HalfState.COMMITTED);
    }
    assertThat(server.bean(HalfMessages.class).state(KEY)).isEqualTo(HalfState.COMMITTED);
  }

  @Test
  void producerIsFoundInTheRegistryAndAsked() {
    VerifyMessageService answers = (business, key) -> COMMITTED;
    try (DubboServer producer = producer().offer(answers, "1.0.0")) {
      server.half().prepare(MESSAGE.checkBack(URI.create(registry.address() + "?version=1.0.0")));

      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
      while (server.bean(HalfMessages.class).state(KEY) != HalfState.COMMITTED) {
        assertThat(System.nanoTime()).as("%s asked in time", producer).isLessThan(deadline);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
    }
  }

  private DubboServer producer() {
    ProtocolConfig protocol = new ProtocolConfig("dubbo", DubboShop.freePort());
    protocol.setHost(DubboShop.LOOPBACK);
    return DubboServer.open("shop", protocol, List.of(new RegistryConfig(registry.address())));
  }
}
