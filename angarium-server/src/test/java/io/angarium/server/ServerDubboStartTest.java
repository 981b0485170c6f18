package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.dubbo.DubboHalfConfig;
import io.angarium.dubbo.DubboHalfMessages;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.NotPermittedException;
import io.angarium.intake.MessageIntake;
import io.angarium.server.dubbo.DubboLifecycle;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How Dubbo starts at the server, and what stops that. */
class ServerDubboStartTest {
  private static final String DUBBO = "angarium.server.dubbo.";
  private static final String ALLOWED = "angarium.server.check-back.dubbo.allowed-addresses";

  @Test
  void everyFaultIsListedAtOnce() {
    List<String> faults =
        ServerStartTest.faults(
            DUBBO + "enabled=true",
            DUBBO + "host=0.0.0.0",
            DUBBO + "port=0",
            DUBBO + "threads=0",
            DUBBO + "application=a b",
            DUBBO + "forward-transport=Kafka",
            DUBBO + "registries=redis://shop:1",
            DUBBO + "rate=0",
            DUBBO + "payload-max=0B",
            DUBBO + "colour=red",
            ALLOWED + "=http://shop:1");

    assertThat(faults)
        .anyMatch(f -> f.startsWith(DUBBO + "host: 0.0.0.0") && f.contains(DUBBO + "open=true"))
        .anyMatch(f -> f.startsWith(DUBBO + "port: 0 (expected: 1..65535"))
        .anyMatch(f -> f.startsWith(DUBBO + "threads: 0 (expected: 1..10000"))
        .anyMatch(f -> f.startsWith(DUBBO + "application: 'a b'"))
        .anyMatch(f -> f.startsWith(DUBBO + "forward-transport: 'Kafka'"))
        .anyMatch(f -> f.startsWith(DUBBO + "registries: 'redis://shop:1'"))
        .anyMatch(f -> f.startsWith(DUBBO + "businesses: none"))
        .anyMatch(f -> f.startsWith(DUBBO + "destinations: none"))
        .anyMatch(f -> f.startsWith(DUBBO + "rate: 0 (expected: 1..1000000"))
        .anyMatch(f -> f.startsWith(DUBBO + "payload-max: 0B (expected: 1B.."))
        .anyMatch(f -> f.startsWith(DUBBO + "colour: unknown property"))
        .anyMatch(f -> f.startsWith(ALLOWED + ": 'http://shop:1'"))
        .hasSize(12);
  }

  @Test
  void whatIsNoRateAndNoSizeStopsTheStart() {
    assertThat(
            ServerStartTest.faults(
                DUBBO + "enabled=true",
                DUBBO + "businesses=*",
                DUBBO + "destinations=log:*",
                DUBBO + "rate=many",
                DUBBO + "payload-max=large"))
        .anyMatch(f -> f.startsWith(DUBBO + "rate: many (expected: "))
        .anyMatch(f -> f.startsWith(DUBBO + "payload-max: large (expected: "))
        .hasSize(2);
  }

  @Test
  void loopbackOfVersion6IsEverybodyForDubbo() {
    assertThat(
            ServerStartTest.faults(
                DUBBO + "enabled=true",
                DUBBO + "host=::1",
                DUBBO + "businesses=*",
                DUBBO + "destinations=*"))
        .singleElement()
        .asString()
        .startsWith(DUBBO + "host: ::1 (expected: 127.0.0.1");
  }

  @Test
  void whatDubboWouldListenToInsteadStopsTheStart() {
    System.setProperty("DUBBO_IP_TO_BIND", "0.0.0.0");
    try {
      assertThat(
              ServerStartTest.faults(
                  DUBBO + "enabled=true", DUBBO + "businesses=*", DUBBO + "destinations=*"))
          .singleElement()
          .asString()
          .startsWith("DUBBO_IP_TO_BIND: '0.0.0.0' (expected: not to be set");
    } finally {
      System.clearProperty("DUBBO_IP_TO_BIND");
    }
  }

  @Test
  void withoutTrustMessagesCallsNothingIsOpened() {
    assertThat(
            ServerStartTest.faults(
                DUBBO + "enabled=true",
                DUBBO + "trust-message.enabled=false",
                DUBBO + "host=0.0.0.0",
                DUBBO + "open=true",
                DUBBO + "businesses=7",
                DUBBO + "destinations=log:*",
                DUBBO + "rate=5",
                DUBBO + "payload-max=1KB"))
        .anyMatch(f -> f.startsWith("angarium.server.api-keys: none") && f.contains("over Dubbo"))
        .anyMatch(f -> f.startsWith(DUBBO + "open: true (expected: none, as trust-message.enabled"))
        .anyMatch(f -> f.startsWith(DUBBO + "businesses: [7] (expected: none"))
        .anyMatch(f -> f.startsWith(DUBBO + "destinations: [log:*] (expected: none"))
        .anyMatch(f -> f.startsWith(DUBBO + "rate: 5 (expected: none"))
        .anyMatch(f -> f.startsWith(DUBBO + "payload-max: 1024B (expected: none"))
        .hasSize(6);
  }

  /** Not even for programs of this machine, see {@link ServerDubboAccessTest}. */
  @Test
  void withoutKeysAndTrustMessagesCallsThereIsNothingToOffer() {
    assertThat(
            ServerStartTest.faults(DUBBO + "enabled=true", DUBBO + "trust-message.enabled=false"))
        .singleElement()
        .asString()
        .startsWith("angarium.server.api-keys: none (expected: at least one, or")
        .contains("angarium.server.oauth2", DUBBO + "trust-message.enabled");
  }

  @Test
  void withKeysHalfMessagesAreForOthersToo() {
    try (ServerUnderTest server =
        ServerUnderTest.open(
            "angarium.relay.enabled=false",
            "angarium.server.api-keys.shop.hashes=" + ServerUnderTest.HASH,
            "angarium.server.api-keys.shop.businesses=*",
            "angarium.server.api-keys.shop.steps=read",
            DUBBO + "enabled=true",
            DUBBO + "trust-message.enabled=false",
            DUBBO + "host=0.0.0.0",
            DUBBO + "port=" + DubboShop.freePort())) {
      HalfKey none = new HalfKey("a", "b");
      String address = server.bean(DubboLifecycle.class).address().replace("0.0.0.0", "127.0.0.1");
      DubboHalfConfig config = DubboHalfConfig.of("dubbo://" + address);
      try (DubboHalfMessages shop =
              DubboHalfMessages.open(config.apiKey(ServerUnderTest.KEY), MessageIntake.of(null));
          DubboHalfMessages stranger = DubboHalfMessages.open(config, MessageIntake.of(null))) {
        assertThat(shop.state(none)).isEqualTo(HalfState.UNKNOWN);
        assertThatThrownBy(() -> stranger.state(none)).isInstanceOf(NotPermittedException.class);
      }
    }
  }

  @Test
  void openIsSaidInSoManyWords() {
    int port = DubboShop.freePort();
    try (ServerUnderTest server =
        ServerUnderTest.open(
            DUBBO + "enabled=true",
            DUBBO + "host=0.0.0.0",
            DUBBO + "open=true",
            DUBBO + "port=" + port,
            DUBBO + "businesses=*",
            DUBBO + "destinations=log:*")) {
      assertThat(server.bean(DubboLifecycle.class).isRunning()).isTrue();
    }
  }

  @Test
  void portThatIsTakenStopsTheStart() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      assertThatThrownBy(
              () ->
                  ServerUnderTest.open(
                          DUBBO + "enabled=true",
                          DUBBO + "port=" + taken.getLocalPort(),
                          DUBBO + "businesses=*",
                          DUBBO + "destinations=log:*")
                      .close())
          .hasStackTraceContaining("127.0.0.1:" + taken.getLocalPort())
          .hasStackTraceContaining("angarium.server.dubbo.host, port and registries");
    }
  }
}
