package io.angarium.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.ConfigurationException;
import io.angarium.spring.SpringLocalTransactions;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
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

  private PlatformTransactionManager chosen() {
    return TransactionManagers.of(dataSource, beans, SpringLocalTransactions.class);
  }

  @Test
  void aPrimaryOneOfAnotherDataSourceGivesWayToTheOnlyOneOfIts() {
    primary("other", other);
    bean("own", () -> own);
    bean("jta", () -> jta);

    assertThat(chosen()).isSameAs(own);
  }

  @Test
  void aPrimaryOneThatMayBeOfTheDataSourceIsTaken() {
    primary("jta", jta);
    bean("own", () -> own);

    assertThat(chosen()).isSameAs(jta);
  }

  @Test
  void withoutAPrimaryOneTheOnlyOneOfTheDataSourceIsTaken() {
    bean("other", () -> other);
    bean("own", () -> own);

    assertThat(chosen()).isSameAs(own);
  }

  @Test
  void othersAreNotMadeWhereThePrimaryOneIsTaken() {
    primary("own", own);
    bean(
        "broken",
        () -> {
          throw new IllegalStateException("its database is away");
        });

    assertThat(chosen()).isSameAs(own);
  }

  @Test
  void whereNoneCanBeTakenAllAreNamed() {
    bean("other", () -> other);
    bean("jta", () -> jta);

    assertThat(catchThrowableOfType(ConfigurationException.class, this::chosen).faults())
        .singleElement()
        .asString()
        .startsWith("transaction managers: 2, other of another one, jta (expected: one of the")
        .contains("SpringLocalTransactions");
  }
}
