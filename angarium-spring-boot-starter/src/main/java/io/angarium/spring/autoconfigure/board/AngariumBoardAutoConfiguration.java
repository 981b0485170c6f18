package io.angarium.spring.autoconfigure.board;

import io.angarium.TimeSource;
import io.angarium.board.NodeBoard;
import io.angarium.board.NodeTeller;
import io.angarium.board.SendCounts;
import io.angarium.board.UnreachableProducers;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.relay.Relay;
import io.angarium.spring.autoconfigure.AngariumRelayAutoConfiguration;
import io.angarium.spring.autoconfigure.internal.run.NodeNames;
import io.angarium.spring.autoconfigure.internal.run.NodeTellerLifecycle;
import io.angarium.spring.operate.RelayLifecycle;
import io.angarium.spring.settings.AngariumProperties;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The node board, where it is switched on, and what tells it of the relay of this process. */
@AutoConfiguration(after = AngariumRelayAutoConfiguration.class)
@ConditionalOnBean({AngariumProperties.class, JdbcDatabase.class})
@Conditional(OnNodeBoard.class)
public final class AngariumBoardAutoConfiguration {
  /** Creates the configuration. */
  public AngariumBoardAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  NodeBoard angariumNodeBoard(JdbcDatabase database) {
    return database.nodeBoard();
  }

  /** What a process with a relay tells. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(RelayLifecycle.class)
  static class Telling {
    @Bean
    @ConditionalOnMissingBean
    SendCounts angariumDestinationCounts() {
      return new SendCounts();
    }

    @Bean
    @ConditionalOnMissingBean
    UnreachableProducers angariumUnreachableProducers(ObjectProvider<TimeSource> times) {
      return new UnreachableProducers(times.getIfAvailable(() -> TimeSource.SYSTEM));
    }

    @Bean
    @ConditionalOnMissingBean
    NodeTellerLifecycle angariumNodeTeller(
        NodeBoard board,
        SendCounts counts,
        UnreachableProducers producers,
        Environment environment,
        ObjectProvider<TimeSource> times) {
      NodeTeller.Node node =
          new NodeTeller.Node(
              environment.getProperty("spring.application.name", ""),
              NodeNames.host(),
              Objects.requireNonNullElse(Relay.class.getPackage().getImplementationVersion(), ""));
      TimeSource time = times.getIfAvailable(() -> TimeSource.SYSTEM);
      return new NodeTellerLifecycle(
          relay -> new NodeTeller(board, relay::status, counts, producers, node, time));
    }
  }
}
