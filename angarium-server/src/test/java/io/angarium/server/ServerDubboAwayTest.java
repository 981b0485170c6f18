package io.angarium.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** The log of the server while a producer that is to be asked over Dubbo is away. */
class ServerDubboAwayTest {
  private static final int QUESTIONS = 60;

  @Test
  void producerThatIsAwayIsOneLineHoweverOftenItIsAsked() {
    int port = DubboShop.freePort();
    String away = DubboShop.address(DubboShop.freePort());

    String log =
        CleanLogsTest.logged(
            () -> {
              try (ServerUnderTest server =
                      ServerUnderTest.open(
                          "angarium.server.dubbo.enabled=true",
                          "angarium.server.dubbo.port=" + port,
                          "angarium.server.dubbo.forward-transport=log",
                          "angarium.server.dubbo.businesses=*",
                          "angarium.server.dubbo.destinations=log:*",
                          "angarium.server.check-back.dubbo.allowed-addresses=" + away,
                          "angarium.half.check.first=1s",
                          "angarium.half.check.min-pause=100ms",
                          "angarium.half.check.unreachable-max-pause=200ms");
                  DubboShop shop = new DubboShop(port, (business, key) -> 1)) {
                for (int i = 0; i < 5; i++) {
                  shop.centre().prepareMessage(DubboShop.message("" + i, "orders", away));
                }
                awaitQuestions(server.bean(MeterRegistry.class));
              }
            });

    List<String> told =
        log.lines()
            .filter(line -> line.contains(" WARN ") || line.contains(" ERROR "))
            .filter(line -> !line.contains("MeterRegistry"))
            .toList();
    assertThat(told).hasSizeLessThanOrEqualTo(1);
    assertThat(log.lines()).noneMatch(line -> line.startsWith("\tat "));
  }

  private static void awaitQuestions(MeterRegistry meters) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (asked(meters) < QUESTIONS) {
      assertThat(System.nanoTime()).as("asked %s times", asked(meters)).isLessThan(deadline);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
    }
  }

  private static double asked(MeterRegistry meters) {
    return meters.find("angarium.half.checks").tag("verdict", "unreachable").counters().stream()
        .mapToDouble(each -> each.count())
        .sum();
  }
}
