package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.board.SendCounts;
import io.angarium.board.NodeBoard;
import io.angarium.board.NodeStatus;
import io.angarium.board.ToldStatus;
import io.angarium.spring.operate.RelayLifecycle;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.context.ConfigurableApplicationContext;

/** What an application tells of its relay. */
@Timeout(120)
class NodeBoardTest {
  private final Database database = Database.h2().withOrders();

  private Shop shop() {
    return Shop.on(database).withoutJpa().with(Styles.Jdbc.class);
  }

  @Test
  void applicationWithoutReadersTellsNothing() {
    try (ConfigurableApplicationContext context = shop().start()) {
      assertThat(context.getBeanNamesForType(NodeBoard.class)).isEmpty();
      assertThat(context.getBeanNamesForType(SendCounts.class)).isEmpty();
    }
  }

  @Test
  void relayTellsWhatItDoesAndThatItStops() {
    try (ConfigurableApplicationContext context =
        shop()
            .with("angarium.node-board.enabled=true")
            .with("angarium.relay.node=shop-1")
            .with("spring.application.name=shop")
            .start()) {
      NodeBoard board = context.getBean(NodeBoard.class);
      List<ToldStatus> told = board.nodes().nodes();
      while (told.isEmpty() || !told.get(0).status().relay().healthy()) {
        LockSupport.parkNanos(Duration.ofMillis(50).toNanos());
        told = board.nodes().nodes();
      }

      NodeStatus status = told.get(0).status();
      assertThat(status.application()).isEqualTo("shop");
      assertThat(status.relay().node()).isEqualTo("shop-1");
      assertThat(status.relay().partitions()).isPositive();
      assertThat(status.stopped()).isFalse();
      assertThat(context.getBean(RelayLifecycle.class).relay()).isPresent();
      context.stop();

      assertThat(board.nodes().nodes())
          .singleElement()
          .extracting(each -> each.status().stopped())
          .isEqualTo(true);
      context.start();
      assertThat(context.getBean(RelayLifecycle.class).relay()).isPresent();
    }
  }

  @Test
  void boardIsReadWhereAlertsAreOnAndNoRelayRuns() {
    try (ConfigurableApplicationContext context =
        shop().with("angarium.alerts.enabled=true").with("angarium.relay.enabled=false").start()) {
      assertThat(context.getBean(NodeBoard.class).nodes().nodes()).isEmpty();
      assertThat(context.getBeanNamesForType(SendCounts.class)).isEmpty();
    }
  }

  @Test
  void boardCanBeSwitchedOffThere() {
    try (ConfigurableApplicationContext context =
        shop()
            .with("angarium.alerts.enabled=true")
            .with("angarium.node-board.enabled=false")
            .start()) {
      assertThat(context.getBeanNamesForType(NodeBoard.class)).isEmpty();
    }
  }
}
