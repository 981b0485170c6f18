package io.angarium.spring.autoconfigure.internal.data;

import io.angarium.ConfigurationException;
import io.angarium.spring.ManagedDataSource;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.PlatformTransactionManager;

/**
 * Chooses the transaction manager of what runs transactions of its own. Business data that is
 * written there must be in the same transaction, and cannot be seen at the start: wherever it may
 * be in another database, the application has to say where it is.
 */
public final class TransactionManagers {
  private static final String DEFINE_ONE =
      "; define one, e.g. new JdbcTransactionManager(dataSource), as Spring Boot does so only for a"
          + " single or @Primary data source, and only if there is no other transaction manager";

  private static final String PRIMARY_INBOX =
      "one of the outbox's data source, which @Transactional and JdbcTemplate use by default, or a"
          + " bean of SpringInbox marked with @Primary that says where the business data of consumers is:"
          + " new SpringInbox(dataSource, transactionManager, jdbcInbox), with the bean of"
          + " JdbcInbox, which for another database you declare as well:"
          + " JdbcInbox.open(dataSource, InboxConfig.DEFAULTS)";

  private static final String LOCAL_TRANSACTIONS =
      "one of the outbox's data source, which @Transactional and JdbcTemplate use by default, and"
          + " none of another one; or a bean LocalTransactions<Connection> that says where the business data of"
          + " @TransactionalMessage and TransactionalMessages is: new"
          + " SpringLocalTransactions(dataSource, transactionManager, database.markers()), with"
          + " the bean of JdbcDatabase if it is the outbox's, or else with one for that database,"
          + " JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.features(SchemaFeature.MARKER));"
          + " see docs/half-messages.md";

  /** They manage messages of brokers; business data is in no transaction of theirs. */
  private static final List<String> BROKERS =
      List.of(
          "org.springframework.kafka.",
          "org.springframework.amqp.",
          "org.springframework.jms.",
          "org.springframework.pulsar.");

  private final DataSource dataSource;
  private final ManagedDataSource managed;
  private final ListableBeanFactory beans;
  private final String expected;

  private TransactionManagers(DataSource dataSource, ListableBeanFactory beans, String expected) {
    this.dataSource = dataSource;
    this.managed = new ManagedDataSource(dataSource);
    this.beans = beans;
    this.expected = expected;
  }

  /**
   * The one for an inbox: the only one, or the one marked with {@code @Primary}, or of several
   * without such a mark the only one of the data source.
   *
   * @throws ConfigurationException if there is none, or if Spring's defaults are another database,
   *     so that consumers would write there outside of the transaction
   */
  public static PlatformTransactionManager ofInbox(
      DataSource dataSource, ListableBeanFactory beans) {
    return new TransactionManagers(dataSource, beans, PRIMARY_INBOX).byDefault();
  }

  /**
   * The one for half messages, chosen as for an inbox. Unless Spring's defaults are the outbox's
   * data source and its manager, no other manager that is injected without a qualifier may be of
   * another database: business data might be there.
   *
   * @throws ConfigurationException if there is none, or if another one may be of that database
   */
  static PlatformTransactionManager ofHalfMessages(
      DataSource dataSource, ListableBeanFactory beans) {
    TransactionManagers managers = new TransactionManagers(dataSource, beans, LOCAL_TRANSACTIONS);
    PlatformTransactionManager chosen = managers.byDefault();
    if (!managers.areDefaults()
        && managers.candidates().anyMatch(one -> one != chosen && !managers.managed.isOf(one))) {
      throw managers.fault();
    }
    return chosen;
  }

  /** Whether it manages messages of a broker; business data is in no transaction of it. */
  static boolean isOfBroker(PlatformTransactionManager manager) {
    return BROKERS.stream().anyMatch(manager.getClass().getName()::startsWith);
  }

  private PlatformTransactionManager byDefault() {
    PlatformTransactionManager usual = usual();
    if (isOfAnother(injected()) || (usual != null && managed.isNotOf(usual))) {
      throw fault();
    }
    return usual == null ? onlyOne() : usual;
  }

  /** What is injected without a qualifier, or would be if brokers had no managers. */
  private @Nullable PlatformTransactionManager usual() {
    PlatformTransactionManager usual =
        beans.getBeanProvider(PlatformTransactionManager.class).getIfUnique();
    if (usual != null && !isOfBroker(usual)) {
      return usual;
    }
    List<PlatformTransactionManager> others = candidates().toList();
    return others.size() == 1 ? others.get(0) : null;
  }

  private @Nullable DataSource injected() {
    return beans.getBeanProvider(DataSource.class).getIfUnique();
  }

  /** Whether business data is in the outbox's database unless a qualifier names another one. */
  private boolean areDefaults() {
    PlatformTransactionManager usual = usual();
    DataSource injected = injected();
    return usual != null
        && managed.isOf(usual)
        && injected != null
        && innermost(injected) == innermost(dataSource);
  }

  /** Returns false for a data source that routes, because it may lead to either. */
  private boolean isOfAnother(@Nullable DataSource injected) {
    return injected != null
        && !(innermost(injected) instanceof AbstractRoutingDataSource)
        && innermost(injected) != innermost(dataSource);
  }

  private static DataSource innermost(DataSource dataSource) {
    DataSource inner = dataSource;
    while (inner instanceof DelegatingDataSource proxy && proxy.getTargetDataSource() != null) {
      inner = proxy.getTargetDataSource();
    }
    return inner;
  }

  private PlatformTransactionManager onlyOne() {
    List<PlatformTransactionManager> its = all().values().stream().filter(managed::isOf).toList();
    if (its.size() != 1) {
      throw fault();
    }
    return its.get(0);
  }

  /** Returns the managers that are injected without a qualifier, except managers of brokers. */
  private Stream<PlatformTransactionManager> candidates() {
    return all().entrySet().stream()
        .filter(each -> !isOfBroker(each.getValue()) && isCandidate(each.getKey()))
        .map(Map.Entry::getValue);
  }

  /** Includes the beans of parent contexts. */
  private Map<String, PlatformTransactionManager> all() {
    return BeanFactoryUtils.beansOfTypeIncludingAncestors(
        beans, PlatformTransactionManager.class, true, false);
  }

  private boolean isCandidate(String name) {
    return !(beans instanceof ConfigurableListableBeanFactory known
            && known.containsBeanDefinition(name)
            && known.getBeanDefinition(name) instanceof AbstractBeanDefinition definition)
        || (definition.isAutowireCandidate() && definition.isDefaultCandidate());
  }

  private ConfigurationException fault() {
    Map<String, PlatformTransactionManager> all = all();
    boolean lacking = all.values().stream().noneMatch(managed::isOf);
    return new ConfigurationException(
        List.of(
            "transaction managers: "
                + (all.isEmpty() ? "none" : all.size() + names(all))
                + " (expected: "
                + expected
                + (lacking ? DEFINE_ONE : "")
                + ")"));
  }

  private String names(Map<String, PlatformTransactionManager> all) {
    return all.entrySet().stream()
        .map(each -> each.getKey() + of(each.getValue()))
        .collect(Collectors.joining(", ", ", ", ""));
  }

  private String of(PlatformTransactionManager manager) {
    if (managed.isOf(manager)) {
      return " of the outbox's data source";
    }
    if (isOfBroker(manager)) {
      return " of a broker";
    }
    return managed.isNotOf(manager) ? " of another one" : " of an unknown one";
  }
}
