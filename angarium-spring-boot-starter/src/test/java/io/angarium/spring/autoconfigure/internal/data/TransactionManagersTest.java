package io.angarium.spring.autoconfigure.internal.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.ConfigurationException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.IsolationLevelDataSourceRouter;
import org.springframework.kafka.core.DefaultKafkaProducerFactory;
import org.springframework.kafka.transaction.KafkaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.SimpleTransactionStatus;

class TransactionManagersTest {
  private final DataSource dataSource = new DriverManagerDataSource();
  private final PlatformTransactionManager own = new DataSourceTransactionManager(dataSource);
  private final PlatformTransactionManager other =
      new DataSourceTransactionManager(new DriverManagerDataSource());
  private final PlatformTransactionManager jta = new OfAnything();
  private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

  /** As one of JTA, which tells no data source. */
  static final class OfAnything implements PlatformTransactionManager {
    @Override
    public TransactionStatus getTransaction(@Nullable TransactionDefinition definition) {
      return new SimpleTransactionStatus();
    }

    @Override
    public void commit(TransactionStatus status) {}

    @Override
    public void rollback(TransactionStatus status) {}
  }

  private void primary(String name, PlatformTransactionManager manager) {
    RootBeanDefinition definition =
        new RootBeanDefinition(PlatformTransactionManager.class, () -> manager);
    definition.setPrimary(true);
    beans.registerBeanDefinition(name, definition);
  }

  private void bean(String name, Supplier<PlatformTransactionManager> manager) {
    RootBeanDefinition definition =
        new RootBeanDefinition(PlatformTransactionManager.class, manager);
    definition.setLazyInit(true);
    beans.registerBeanDefinition(name, definition);
  }

  private void primaryDataSource(DataSource source) {
    RootBeanDefinition definition = new RootBeanDefinition(DataSource.class, () -> source);
    definition.setPrimary(true);
    beans.registerBeanDefinition("primaryDataSource", definition);
  }

  private PlatformTransactionManager ofInbox() {
    return TransactionManagers.ofInbox(dataSource, beans);
  }

  private PlatformTransactionManager ofHalfMessages() {
    return TransactionManagers.ofHalfMessages(dataSource, beans);
  }

  private static String fault(ThrowingCallable choosing) {
    return catchThrowableOfType(ConfigurationException.class, choosing).faults().get(0);
  }

  @Test
  void aPrimaryOneOfAnotherDataSourceIsAFault() {
    primary("other", other);
    bean("own", () -> own);

    assertThat(fault(this::ofInbox))
        .startsWith(
            "transaction managers: 2, other of another one, own of the outbox's data source"
                + " (expected: ")
        .contains("a bean of SpringInbox marked with @Primary");
    assertThat(fault(this::ofHalfMessages))
        .startsWith("transaction managers: 2, other of another one, own of the outbox's")
        .contains(
            "a bean LocalTransactions<Connection>",
            "new SpringLocalTransactions(dataSource, transactionManager, database.markers())",
            "SchemaFeature.MARKER",
            "docs/half-messages.md");
  }

  @Test
  void aPrimaryDataSourceThatIsAnotherIsAFaultWithOneManagerToo() {
    primaryDataSource(new DriverManagerDataSource());
    bean("own", () -> own);

    assertThat(fault(this::ofInbox)).startsWith("transaction managers: 1, own of the outbox's");
    assertThat(fault(this::ofHalfMessages)).startsWith("transaction managers: 1, own");
  }

  @Test
  void aPrimaryDataSourceMayStandAroundTheOneOfTheOutboxOrRoute() {
    primaryDataSource(new LazyConnectionDataSourceProxy(dataSource));
    bean("own", () -> own);

    assertThat(ofHalfMessages()).isSameAs(own);

    beans.removeBeanDefinition("primaryDataSource");
    IsolationLevelDataSourceRouter router = new IsolationLevelDataSourceRouter();
    router.setTargetDataSources(Map.of());
    primaryDataSource(router);
    assertThat(ofHalfMessages()).isSameAs(own);
  }

  @Test
  void aPrimaryOneThatMayBeOfTheDataSourceIsTaken() {
    primary("jta", jta);
    bean("own", () -> own);

    assertThat(ofInbox()).isSameAs(jta);
    assertThat(ofHalfMessages()).isSameAs(jta);
  }

  @Test
  void severalOfTheDataSourceAreNoFault() {
    primary("own", own);
    bean("second", () -> new DataSourceTransactionManager(dataSource));

    assertThat(ofHalfMessages()).isSameAs(own);
  }

  @Test
  void withoutAPrimaryOneTheInboxTakesTheOnlyOneOfItsDataSource() {
    bean("other", () -> other);
    bean("own", () -> own);

    assertThat(ofInbox()).isSameAs(own);
  }

  @Test
  void halfMessagesTakeNoneWhereBusinessDataMayBeInAnotherDatabase() {
    primary("own", own);
    bean("other", () -> other);

    assertThat(ofInbox()).isSameAs(own);
    assertThat(fault(this::ofHalfMessages))
        .startsWith("transaction managers: 2, own of the outbox's data source, other of another");
  }

  @Test
  void halfMessagesAllowOthersBesideTheDefaultsOfTheOutbox() {
    primaryDataSource(dataSource);
    primary("own", own);
    bean("other", () -> other);

    assertThat(ofHalfMessages()).isSameAs(own);
  }

  @Test
  void halfMessagesAllowOthersThatAreInjectedByQualifierOnly() {
    bean("own", () -> own);
    bean("batch", () -> other);
    ((RootBeanDefinition) beans.getBeanDefinition("batch")).setDefaultCandidate(false);

    assertThat(ofHalfMessages()).isSameAs(own);
    assertThat(ofInbox()).isSameAs(own);
  }

  @Test
  void managersOfContextsAboveAreSeen() {
    bean("own", () -> own);
    bean("jta", () -> jta);
    DefaultListableBeanFactory below = new DefaultListableBeanFactory(beans);

    assertThat(TransactionManagers.ofInbox(dataSource, below)).isSameAs(own);
    assertThat(TransactionWarnings.isCertainlyWithout(dataSource, below)).isFalse();
  }

  @Test
  void managersThatAreNotThereYetAreNotCreatedForAWarning() {
    AtomicInteger created = new AtomicInteger();
    bean(
        "lazy",
        () -> {
          created.incrementAndGet();
          return other;
        });

    assertThat(TransactionWarnings.isCertainlyWithout(dataSource, beans)).isFalse();
    assertThat(created).hasValue(0);
    assertThat(beans.getBean("lazy")).isSameAs(other);
    assertThat(TransactionWarnings.isCertainlyWithout(dataSource, beans)).isTrue();
    assertThat(
            TransactionWarnings.isCertainlyWithout(
                dataSource, new DefaultListableBeanFactory(beans)))
        .isTrue();
  }

  private static PlatformTransactionManager kafka() {
    DefaultKafkaProducerFactory<String, String> factory =
        new DefaultKafkaProducerFactory<>(Map.of());
    factory.setTransactionIdPrefix("t");
    return new KafkaTransactionManager<>(factory);
  }

  @Test
  void managersOfBrokersHoldNoBusinessData() {
    primary("own", own);
    bean("kafka", TransactionManagersTest::kafka);

    assertThat(ofHalfMessages()).isSameAs(own);
  }

  @Test
  void managersOfBrokersAreNotTakenForOneOfADatabase() {
    primary("kafka", kafka());

    assertThat(fault(this::ofInbox)).startsWith("transaction managers: 1, kafka of a broker (");
    assertThat(fault(this::ofHalfMessages)).startsWith("transaction managers: 1, kafka of a");
    assertThat(beans.getBean("kafka")).isNotNull();
    assertThat(TransactionWarnings.isCertainlyWithout(dataSource, beans)).isTrue();

    bean("jta", () -> jta);
    assertThat(ofInbox()).isSameAs(jta);
    assertThat(ofHalfMessages()).isSameAs(jta);
  }

  @Test
  void forTheInboxOthersAreNotMadeWhereThePrimaryOneIsTaken() {
    primary("own", own);
    bean(
        "broken",
        () -> {
          throw new IllegalStateException("its database is away");
        });

    assertThat(ofInbox()).isSameAs(own);
  }

  @Test
  void whereNoneCanBeTakenAllAreNamed() {
    bean("other", () -> other);
    bean("jta", () -> jta);

    assertThat(fault(this::ofInbox))
        .startsWith("transaction managers: 2, other of another one, jta of an unknown one (");
  }
}
