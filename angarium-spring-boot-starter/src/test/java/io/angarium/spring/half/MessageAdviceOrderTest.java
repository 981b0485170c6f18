package io.angarium.spring.half;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.TimeSource;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfState;
import io.angarium.half.local.TransactionalMessages;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.spring.SpringLocalTransactions;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import java.lang.reflect.Method;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.aopalliance.intercept.MethodInterceptor;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.Advisor;
import org.springframework.aop.framework.AbstractAdvisingBeanPostProcessor;
import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.aop.support.StaticMethodMatcherPointcut;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;

/** Where the call with a half message stands among other advice. */
class MessageAdviceOrderTest {
  private final DataSource dataSource =
      JdbcConnectionPool.create(
          "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
  private final JdbcTemplate jdbc = new JdbcTemplate(dataSource);
  private final InMemoryHalfMessages centre = new InMemoryHalfMessages(TimeSource.SYSTEM);
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();

  MessageAdviceOrderTest() {
    jdbc.execute("CREATE TABLE business (name VARCHAR(200))");
    DataSourceTransactionManager manager = new DataSourceTransactionManager(dataSource);
    JdbcDatabase database =
        JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    TransactionalMessages<?> messages =
        new TransactionalMessages<>(
            centre, new SpringLocalTransactions(dataSource, manager, database.markers()));
    context.registerBean(
        TransactionalMethods.class, () -> new TransactionalMethods(context.getBeanFactory()));
    context.registerBean(TransactionalMessages.class, () -> messages);
    context.registerBean(PlatformTransactionManager.class, () -> manager);
    context.registerBean(JdbcTemplate.class, () -> jdbc);
    context.register(Transactions.class);
  }

  @AfterEach
  void close() {
    context.close();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement
  static class Transactions {}

  static class Shop {
    private final JdbcTemplate jdbc;

    Shop(JdbcTemplate jdbc) {
      this.jdbc = jdbc;
    }

    @TransactionalMessage(business = "b", key = "#id", destination = "kafka:o", payload = "#id")
    public void fail(String id) {
      jdbc.update("INSERT INTO business VALUES (?)", id);
      throw new IllegalArgumentException("planned");
    }

    @Transactional
    @TransactionalMessage(business = "b", key = "#id", destination = "kafka:o", payload = "#id")
    public void failInATransaction(String id) {
      fail(id);
    }
  }

  private Shop start() {
    context.registerBean(Shop.class);
    context.refresh();
    return context.getBean(Shop.class);
  }

  /** Before that of transactions, in one proxy with it, as the one of {@code @PreAuthorize} is. */
  private void advised(Supplier<Advisor> advisor) {
    context.registerBean(
        "advised",
        Advisor.class,
        advisor,
        definition -> definition.setRole(BeanDefinition.ROLE_INFRASTRUCTURE));
  }

  private HalfState state(String key) {
    return centre.state(new HalfKey("b", key));
  }

  private static Advisor around(MethodInterceptor advice) {
    StaticMethodMatcherPointcut shops =
        new StaticMethodMatcherPointcut() {
          @Override
          public boolean matches(Method method, Class<?> targetClass) {
            return true;
          }
        };
    shops.setClassFilter(type -> type == Shop.class);
    return new DefaultPointcutAdvisor(shops, advice);
  }

  private static Advisor denying() {
    return around(
        invocation -> {
          throw new SecurityException("denied");
        });
  }

  private static Advisor swallowing() {
    return around(
        invocation -> {
          try {
            return invocation.proceed();
          } catch (IllegalArgumentException e) {
            return null;
          }
        });
  }

  @Test
  void whatOtherAdviceDeniesIsNotPrepared() {
    advised(MessageAdviceOrderTest::denying);
    Shop shop = start();

    assertThatThrownBy(() -> shop.fail("1")).isInstanceOf(SecurityException.class);
    assertThatThrownBy(() -> shop.failInATransaction("2")).isInstanceOf(SecurityException.class);

    assertThat(state("1")).isEqualTo(HalfState.UNKNOWN);
    assertThat(state("2")).isEqualTo(HalfState.UNKNOWN);
  }

  @Test
  void whatOtherAdviceSwallowsHasRolledBack() {
    advised(MessageAdviceOrderTest::swallowing);
    Shop shop = start();

    shop.fail("1");
    shop.failInATransaction("2");

    assertThat(state("1")).isEqualTo(HalfState.ROLLED_BACK);
    assertThat(state("2")).isEqualTo(HalfState.ROLLED_BACK);
    assertThat(jdbc.queryForList("SELECT name FROM business")).isEmpty();
  }

  /** Adds its advice behind all others, as the one of {@code @Validated} does. */
  @SuppressWarnings("serial") // nobody writes it
  static final class Late extends AbstractAdvisingBeanPostProcessor {
    Late() {
      advisor = denying();
    }
  }

  @Test
  void adviceThatIsAddedLaterDeniesBeforeAnythingIsPrepared() {
    context.registerBean(Late.class);
    Shop shop = start();

    assertThatThrownBy(() -> shop.fail("1")).isInstanceOf(SecurityException.class);

    assertThat(state("1")).isEqualTo(HalfState.UNKNOWN);
  }
}
