package io.angarium.spring.autoconfigure.alert;

import io.angarium.ConfigurationException;
import io.angarium.TimeSource;
import io.angarium.alert.AlertChannel;
import io.angarium.alert.AlertEngine;
import io.angarium.alert.AlertListener;
import io.angarium.alert.AlertRoute;
import io.angarium.alert.AlertRule;
import io.angarium.alert.AlertStore;
import io.angarium.alert.LogChannel;
import io.angarium.alert.signal.SignalReader;
import io.angarium.background.BackgroundWork;
import io.angarium.board.NodeBoard;
import io.angarium.confirmation.Confirmations;
import io.angarium.console.settings.ConsoleAlerts;
import io.angarium.desk.PauseDesk;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.reconciliation.ReportShelf;
import io.angarium.relay.Relay;
import io.angarium.spring.autoconfigure.AngariumRelayAutoConfiguration;
import io.angarium.spring.autoconfigure.internal.mapping.AlertMapping;
import io.angarium.spring.autoconfigure.internal.run.AlertLifecycle;
import io.angarium.spring.autoconfigure.internal.run.NodeNames;
import io.angarium.spring.operate.RelayLifecycle;
import io.angarium.spring.settings.AlertProperties;
import io.angarium.spring.settings.AlertProperties.ChannelType;
import io.angarium.spring.settings.AngariumProperties;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;

/** Alerts, where they are switched on. */
@AutoConfiguration(
    after = AngariumRelayAutoConfiguration.class,
    // by name: the quickstart compiles this class without gRPC, Dubbo and mail
    afterName = {
      "io.angarium.spring.autoconfigure.AngariumHalfAutoConfiguration",
      "io.angarium.spring.autoconfigure.board.AngariumBoardAutoConfiguration"
    })
@ConditionalOnBean({AngariumProperties.class, JdbcDatabase.class})
@ConditionalOnProperty("angarium.alerts.enabled")
public final class AngariumAlertAutoConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(AngariumAlertAutoConfiguration.class);

  private static final String NO_MAIL =
      "angarium.alerts.channels.%s.type: mail, but there is no MailSender (expected:"
          + " spring-boot-starter-mail and 'spring.mail.host', or a bean of type MailSender)";

  /** Creates the configuration. */
  public AngariumAlertAutoConfiguration() {}

  /** What a console shows of alerts, if there is one. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ConsoleAlerts.class)
  static class Shown {
    @Bean
    @Lazy // without a console, nobody needs the tables of its audit
    @ConditionalOnMissingBean
    ConsoleAlerts angariumConsoleAlerts(JdbcDatabase database, AlertLifecycle alerts) {
      return new ShownAlerts(database.alertDesk(), alerts);
    }
  }

  @Bean
  @ConditionalOnMissingBean
  AlertStore angariumAlertStore(JdbcDatabase database) {
    return database.alertStore();
  }

  @Bean
  @ConditionalOnMissingBean
  SignalReader angariumSignals(
      AngariumProperties properties,
      JdbcDatabase database,
      ObjectProvider<HalfMessageDesk> half,
      ObjectProvider<RelayLifecycle> relay,
      ObjectProvider<NodeBoard> board,
      ObjectProvider<BackgroundWork> work,
      ObjectProvider<Confirmations> confirmations,
      ObjectProvider<ReportShelf> reports,
      ObjectProvider<TimeSource> times) {
    PauseDesk pauses = pauses(database);
    return SignalReader.builder(
            NodeNames.unique(), database.browser(), AlertMapping.countMax(properties.alerts()))
        .pauses(() -> pauses)
        .half(half::getIfAvailable)
        .board(board::getIfAvailable)
        .confirmations(confirmations::getIfAvailable)
        .reports(reports::getIfAvailable)
        .circuits(() -> running(relay).map(Relay::circuits).orElse(Map.of()))
        .faults(() -> faults(running(relay), work))
        .time(times.getIfAvailable(() -> TimeSource.SYSTEM))
        .build();
  }

  /** Looked for once, as it asks the database for rights. */
  private static @Nullable PauseDesk pauses(JdbcDatabase database) {
    if (!database.has(SchemaFeature.CONSOLE)) {
      return null;
    }
    try {
      return database.desk().pauses();
    } catch (ConfigurationException e) {
      LOG.warn("Alerts do not know of pauses: {}", String.join("; ", e.faults()));
      return null;
    }
  }

  private static Optional<Relay> running(ObjectProvider<RelayLifecycle> relay) {
    return Optional.ofNullable(relay.getIfAvailable()).flatMap(RelayLifecycle::relay);
  }

  /** Why work of this process is not done; the alerts tell their own fault themselves. */
  private static List<String> faults(Optional<Relay> running, ObjectProvider<BackgroundWork> work) {
    Stream<String> ofRelay =
        running
            .filter(each -> !each.healthy())
            .map(each -> "The relay is stalled, has no valid lease, or is refused its writes")
            .stream();
    Stream<String> ofWork =
        work.stream()
            .filter(each -> !(each instanceof AlertLifecycle))
            .map(BackgroundWork::fault)
            .flatMap(Optional::stream)
            .sorted();
    return Stream.concat(ofRelay, ofWork).toList();
  }

  @Bean
  ConfiguredRoutes angariumAlertRoutes(
      AngariumProperties properties, ObjectProvider<MailChannels> mail) {
    return new ConfiguredRoutes(
        properties.alerts().channels().entrySet().stream()
            .map(
                entry ->
                    AlertMapping.route(
                        channel(entry.getKey(), entry.getValue(), mail.getIfAvailable()),
                        entry.getValue()))
            .toList());
  }

  @Bean
  @ConditionalOnMissingBean
  AlertLifecycle angariumAlerts(
      AngariumProperties properties,
      AlertStore store,
      SignalReader signals,
      ConfiguredRoutes configured,
      ObjectProvider<AlertRule> rules,
      ObjectProvider<AlertChannel> channels,
      ObjectProvider<AlertListener> listeners,
      Environment environment) {
    AlertProperties given = properties.alerts();
    String system =
        Objects.requireNonNullElse(
            given.system(), environment.getProperty("spring.application.name", "outbox"));
    Supplier<AlertEngine> engines =
        () -> {
          AlertEngine.Builder builder =
              AlertEngine.builder(store, signals)
                  .node(signals.node())
                  .system(system)
                  .link(given.link())
                  .listener(AlertListener.all(listeners.orderedStream().toList()))
                  .route(AlertRoute.all(new LogChannel()));
          configured.routes().forEach(builder::route);
          channels.orderedStream().map(AlertRoute::all).forEach(builder::route);
          rules.orderedStream().forEach(builder::rule);
          AlertMapping.settings(given).forEach(builder::settings);
          return built(builder);
        };
    var unused = engines.get(); // what is wrong stops the start
    return new AlertLifecycle(engines);
  }

  private static AlertEngine built(AlertEngine.Builder builder) {
    try {
      return builder.build();
    } catch (ConfigurationException e) {
      throw new ConfigurationException(
          e.faults().stream().map(fault -> "angarium." + fault).toList());
    }
  }

  private static AlertChannel channel(
      String name, AlertProperties.Channel given, @Nullable MailChannels mail) {
    if (given.type() != ChannelType.MAIL) {
      return AlertMapping.channel(name, given);
    }
    if (mail == null) {
      throw new ConfigurationException(List.of(NO_MAIL.formatted(name)));
    }
    return mail.channel(name, given);
  }
}
