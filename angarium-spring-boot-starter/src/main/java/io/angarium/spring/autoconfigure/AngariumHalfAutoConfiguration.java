package io.angarium.spring.autoconfigure;

import io.angarium.ConfigurationException;
import io.angarium.TimeSource;
import io.angarium.dubbo.DubboHalfMessages;
import io.angarium.grpc.GrpcHalfMessages;
import io.angarium.half.CheckBack;
import io.angarium.half.HalfListener;
import io.angarium.half.HalfMessages;
import io.angarium.half.TokenSource;
import io.angarium.half.check.CheckBackLoop;
import io.angarium.half.check.CheckBackTransport;
import io.angarium.half.decide.HalfMessageDesk;
import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.TransactionalMessages;
import io.angarium.http.check.CheckBackEndpoint;
import io.angarium.http.check.HttpCheckBackTransport;
import io.angarium.http.half.HttpHalfMessages;
import io.angarium.intake.Handover;
import io.angarium.intake.MessageIntake;
import io.angarium.jdbc.JdbcCheckStore;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcHalfMessages;
import io.angarium.spring.autoconfigure.internal.check.HalfWays;
import io.angarium.spring.autoconfigure.internal.data.LocalTransactionsConfiguration;
import io.angarium.spring.autoconfigure.internal.mapping.EndpointMapping;
import io.angarium.spring.autoconfigure.internal.mapping.HalfDubboMapping;
import io.angarium.spring.autoconfigure.internal.mapping.HalfGrpcMapping;
import io.angarium.spring.autoconfigure.internal.mapping.HalfMapping;
import io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping;
import io.angarium.spring.autoconfigure.internal.run.CheckBackLifecycle;
import io.angarium.spring.autoconfigure.internal.web.CheckBackRoute;
import io.angarium.spring.autoconfigure.internal.web.OnCheckBackHosts;
import io.angarium.spring.half.TransactionalMethods;
import io.angarium.spring.settings.AngariumProperties;
import java.sql.Connection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnExpression;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.util.function.SingletonSupplier;

/**
 * Half messages, where they are switched on: in the database of the outbox, or on a server. Beans
 * of {@link CheckBack} answer for the business id that is the name of the bean.
 */
@AutoConfiguration(
    after = {
      AngariumAutoConfiguration.class,
      AngariumRelayAutoConfiguration.class,
      AngariumRocketTransactionsAutoConfiguration.class,
      // its methods are known when the address is looked for
      AngariumTransactionalMessageAutoConfiguration.class
    })
@ConditionalOnBean({AngariumProperties.class, JdbcDatabase.class})
@ConditionalOnProperty(name = "angarium.half.enabled")
@Import({LocalTransactionsConfiguration.class, CheckBackRoute.class})
public final class AngariumHalfAutoConfiguration {
  private static final Logger LOG = LoggerFactory.getLogger(AngariumHalfAutoConfiguration.class);

  private static final String SERVERS =
      "'${angarium.half.http.server:}${angarium.half.grpc.server:}${angarium.half.dubbo.server:}'";
  private static final String IN_DATABASE = SERVERS + " == ''";
  private static final String ON_SERVER = SERVERS + " != ''";

  /** Creates the configuration. */
  public AngariumHalfAutoConfiguration() {}

  /** Made when it is first asked for: not everybody has the transactions. */
  @Bean
  @Lazy
  @ConditionalOnMissingBean
  TransactionalMessages<Connection> angariumTransactionalMessages(
      AngariumProperties properties,
      HalfMessages half,
      LocalTransactions<Connection> transactions) {
    return new TransactionalMessages<>(
        half, transactions, EndpointMapping.address(properties.half().checkBackEndpoint()));
  }

  /**
   * Methods use them at their first call only, and markers at the first check-back. Their tables
   * and transaction managers are to be checked at the start.
   */
  @Bean
  SmartInitializingSingleton angariumMessagesAtStart(
      AngariumProperties properties,
      ObjectProvider<TransactionalMethods> methods,
      ObjectProvider<TransactionalMessages<?>> messages) {
    return () -> {
      if (methods.stream().anyMatch(each -> !each.businesses().isEmpty())) {
        messages.forEach(made -> LOG.debug("Methods send by {}", made));
      }
      if (!properties.half().check().markers().isEmpty()) {
        TransactionalMessages<?> made = theOne(messages);
        LOG.debug("Markers answer by {}", made);
      }
    };
  }

  /** The one whose markers answer: another one would take what committed for rolled back. */
  private static TransactionalMessages<?> theOne(
      ObjectProvider<TransactionalMessages<?>> messages) {
    TransactionalMessages<?> one = messages.getIfUnique();
    if (one == null) {
      throw new ConfigurationException(
          List.of(
              "beans of TransactionalMessages: "
                  + messages.stream().count()
                  + " (expected: one, or one of several marked with @Primary, whose markers answer"
                  + " for angarium.half.check.markers; or no markers there, and a bean of CheckBack"
                  + " for each business id)"));
    }
    return one;
  }

  /** Returns the check-backs of the application's beans and of its markers. */
  private static Map<String, CheckBack> checkBacks(
      AngariumProperties properties,
      Map<String, CheckBack> beans,
      ObjectProvider<TransactionalMethods> methods,
      ObjectProvider<TransactionalMessages<?>> messages) {
    Map<String, CheckBack> all = new HashMap<>();
    // the markers are in the database of the transactions, perhaps not in the outbox's
    Stream.concat(
            properties.half().check().markers().stream(),
            methods.stream().flatMap(each -> each.businesses().stream()))
        .forEach(business -> all.put(business, theOne(messages).checkBack()));
    all.putAll(beans);
    return all;
  }

  /** On a server, over HTTP. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(HttpHalfMessages.class)
  @ConditionalOnProperty(name = "angarium.half.http.server")
  static class OnServerOverHttp {
    @Bean
    @ConditionalOnMissingBean(HalfMessages.class)
    HttpHalfMessages angariumHalfMessages(
        AngariumProperties properties, MessageIntake intake, ObjectProvider<TokenSource> token) {
      AngariumProperties.HalfHttp given = properties.half().http();
      return HttpHalfMessages.open(
          HalfMapping.server(given, HalfWays.token("http", given.apiKey(), token)),
          intake.sentElsewhere());
    }
  }

  /** On a server, over gRPC. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(GrpcHalfMessages.class)
  @ConditionalOnProperty(name = "angarium.half.grpc.server")
  static class OnServerOverGrpc {
    @Bean
    @ConditionalOnMissingBean(HalfMessages.class)
    GrpcHalfMessages angariumHalfMessages(
        AngariumProperties properties, MessageIntake intake, ObjectProvider<TokenSource> token) {
      AngariumProperties.HalfGrpc given = properties.half().grpc();
      return GrpcHalfMessages.open(
          HalfGrpcMapping.server(given),
          HalfGrpcMapping.calls(
              given,
              PropertyMapping.limits(properties),
              HalfWays.token("grpc", given.apiKey(), token)),
          intake.sentElsewhere());
    }
  }

  /** On a server, over Dubbo. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(DubboHalfMessages.class)
  @ConditionalOnProperty(name = "angarium.half.dubbo.server")
  static class OnServerOverDubbo {
    @Bean
    @ConditionalOnMissingBean(HalfMessages.class)
    DubboHalfMessages angariumHalfMessages(
        AngariumProperties properties, MessageIntake intake, ObjectProvider<TokenSource> token) {
      AngariumProperties.HalfDubbo given = properties.half().dubbo();
      return DubboHalfMessages.open(
          HalfDubboMapping.server(given, HalfWays.token("dubbo", given.apiKey(), token)),
          intake.sentElsewhere());
    }
  }

  /** On a server, over whatever. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnExpression(ON_SERVER)
  static class OnServer {
    /** Unless the application says itself where its messages are asked for. */
    @Bean
    SmartInitializingSingleton angariumCheckBackEndpointCheck(
        AngariumProperties properties,
        ListableBeanFactory beans,
        ObjectProvider<TransactionalMethods> methods) {
      return () -> {
        if (beans.containsBeanDefinition("angariumTransactionalMessages")) {
          EndpointMapping.checkAskable(
              properties.half().checkBackEndpoint(),
              methods.stream().flatMap(each -> each.businesses().stream()).toList());
        }
      };
    }
  }

  /** In the database of the outbox. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnExpression(IN_DATABASE)
  static class InDatabase {
    @Bean
    @ConditionalOnMissingBean(HalfMessages.class)
    JdbcHalfMessages angariumHalfMessages(
        JdbcDatabase database,
        MessageIntake intake,
        ObjectProvider<Handover> handover,
        ObjectProvider<HalfListener> listeners) {
      return database.halfMessages(
          intake, handover.getIfAvailable(() -> Handover.NONE), all(listeners));
    }

    @Bean
    @ConditionalOnMissingBean
    HalfMessageDesk angariumHalfMessageDesk(
        JdbcDatabase database,
        ObjectProvider<Handover> handover,
        ObjectProvider<HalfListener> listeners) {
      return database.halfMessageDesk(handover.getIfAvailable(() -> Handover.NONE), all(listeners));
    }

    /** At the first event: one of them may need the half messages. */
    private static HalfListener all(ObjectProvider<HalfListener> listeners) {
      return HalfListener.all(() -> listeners.orderedStream().toList());
    }
  }

  /** Where this process asks the producers of what is in the database. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnExpression(IN_DATABASE)
  @ConditionalOnProperty(name = "angarium.half.check.enabled", matchIfMissing = true)
  static class Asking {
    @Bean
    @ConditionalOnMissingBean
    JdbcCheckStore angariumCheckStore(JdbcDatabase database) {
      return database.checkStore();
    }

    @Bean
    @ConditionalOnMissingBean
    CheckBackLifecycle angariumCheckBackLifecycle(
        AngariumProperties properties,
        HalfMessages half,
        JdbcCheckStore store,
        Map<String, CheckBack> checkBacks,
        ObjectProvider<TransactionalMethods> methods,
        ObjectProvider<TransactionalMessages<?>> messages,
        ObjectProvider<CheckBackTransport> transports,
        ObjectProvider<HalfListener> listeners,
        ObjectProvider<TimeSource> time) {
      return new CheckBackLifecycle(
          () -> {
            CheckBackLoop.Builder loop =
                CheckBackLoop.builder(half, store)
                    .config(PropertyMapping.checkBack(properties.half().check()))
                    .time(time.getIfAvailable(() -> TimeSource.SYSTEM));
            checkBacks(properties, checkBacks, methods, messages).forEach(loop::checkBack);
            transports.orderedStream().forEach(loop::transport);
            listeners.orderedStream().forEach(loop::listener);
            return loop.build();
          });
    }
  }

  /** What asks over HTTP, and answers. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(HttpCheckBackTransport.class)
  static class OverHttp {
    @Bean
    @Conditional(OnCheckBackHosts.class)
    HttpCheckBackTransport angariumHttpCheckBack(AngariumProperties properties) {
      return HttpCheckBackTransport.open(HalfMapping.producers(properties.half().check()));
    }

    @Bean
    @Conditional(OnCheckBackHosts.class)
    HttpCheckBackTransport angariumTrustMessageCheckBack(AngariumProperties properties) {
      return HttpCheckBackTransport.trustMessage(HalfMapping.producers(properties.half().check()));
    }

    @Bean
    @Conditional(OnCheckBackHosts.class)
    HttpCheckBackTransport angariumDtmCheckBack(AngariumProperties properties) {
      return HttpCheckBackTransport.dtm(HalfMapping.producers(properties.half().check()));
    }

    /** For the route of the starter, or a controller of the application. */
    @Bean
    @ConditionalOnMissingBean
    CheckBackEndpoint angariumCheckBackEndpoint(
        AngariumProperties properties,
        Map<String, CheckBack> checkBacks,
        ObjectProvider<TransactionalMethods> methods,
        ObjectProvider<TransactionalMessages<?>> messages) {
      // with the first question, when all methods are known
      Supplier<Map<String, CheckBack>> all =
          SingletonSupplier.of(() -> checkBacks(properties, checkBacks, methods, messages));
      return new CheckBackEndpoint(business -> all.get().get(business));
    }
  }
}
