package io.angarium.spring.half;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.angarium.ConfigurationException;
import io.angarium.TimeSource;
import io.angarium.half.local.LocalTransactions;
import io.angarium.half.local.TransactionalMessages;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.spring.SpringLocalTransactions;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcConnectionPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.xml.XmlBeanDefinitionReader;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.io.ByteArrayResource;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.annotation.AnnotationTransactionAttributeSource;
import org.springframework.transaction.annotation.EnableTransactionManagement;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;

/** Methods with a transaction manager that is, or is not, the one of their messages. */
class JoiningMethodTest {
  private final DataSource dataSource = newDatabase();
  private final DataSourceTransactionManager own = new DataSourceTransactionManager(dataSource);
  private final AnnotationConfigApplicationContext context =
      new AnnotationConfigApplicationContext();

  JoiningMethodTest() {
    context.registerBean(
        TransactionalMethods.class, () -> new TransactionalMethods(context.getBeanFactory()));
    context.registerBean("own", PlatformTransactionManager.class, () -> own);
    context.registerBean(
        "other",
        PlatformTransactionManager.class,
        () -> new DataSourceTransactionManager(newDatabase()),
        definition -> definition.setPrimary(true));
  }

  @AfterEach
  void close() {
    context.close();
  }

  private static DataSource newDatabase() {
    return JdbcConnectionPool.create(
        "jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1", "sa", "");
  }

  private SpringLocalTransactions local() {
    return new SpringLocalTransactions(
        dataSource,
        own,
        JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE)).markers());
  }

  private TransactionalMessages<?> messages() {
    LocalTransactions<?> local = context.getBean(LocalTransactions.class);
    return new TransactionalMessages<>(new InMemoryHalfMessages(TimeSource.SYSTEM), local);
  }

  private void withLocal() {
    with(this::local);
  }

  private void with(Supplier<LocalTransactions<?>> local) {
    context.registerBean(LocalTransactions.class, local::get, each -> each.setLazyInit(true));
    context.registerBean(
        TransactionalMessages.class, this::messages, each -> each.setLazyInit(true));
  }

  private List<String> faults(Class<?>... beans) {
    List.of(beans).forEach(context::registerBean);
    return catchThrowableOfType(ConfigurationException.class, context::refresh).faults();
  }

  @Configuration(proxyBeanMethods = false)
  @EnableTransactionManagement
  static class Proxies {}

  static class Placeholder {
    @Transactional("${shop.transactions}")
    @TransactionalMessage(business = "b", key = "#id", destination = "kafka:o", payload = "#id")
    public void pay(String id) {}
  }

  static class Unqualified {
    @Transactional
    @TransactionalMessage(business = "b", key = "#id", destination = "kafka:o", payload = "#id")
    public void pay(String id) {}
  }

  static class Named {
    @Transactional("own")
    @TransactionalMessage(business = "b", key = "#id", destination = "kafka:o", payload = "#id")
    public void pay(String id) {}
  }

  private void property(String name, String value) {
    context
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of(name, value)));
  }

  @Test
  void aPlaceholderNamesTheManagerOfTheMarker() {
    withLocal();
    property("shop.transactions", "own");
    context.register(Proxies.class);
    context.registerBean(Placeholder.class);

    context.refresh();

    assertThat(context.getBean(TransactionalMethods.class).businesses()).containsExactly("b");
  }

  @Test
  void aPlaceholderOfAnotherManagerStopsTheStart() {
    withLocal();
    property("shop.transactions", "other");

    assertThat(faults(Proxies.class, Placeholder.class))
        .singleElement()
        .asString()
        .startsWith(
            "@TransactionalMessage at Placeholder.pay: @Transactional with transaction manager"
                + " 'other' (expected: 'own',");
  }

  /** As the aspect of Spring that is woven, which is no interceptor. */
  static class Woven extends TransactionAspectSupport {
    Woven() {
      setTransactionAttributeSource(new AnnotationTransactionAttributeSource(false));
    }
  }

  @Test
  void theDefaultManagerOfAnAspectIsLookedAtAsWell() {
    withLocal();

    assertThat(faults(Woven.class, Unqualified.class))
        .singleElement()
        .asString()
        .contains("with transaction manager 'other' (expected: 'own',");
  }

  private void xml(String manager) {
    new XmlBeanDefinitionReader(context)
        .loadBeanDefinitions(
            new ByteArrayResource(
                """
                <beans xmlns="http://www.springframework.org/schema/beans"
                    xmlns:tx="http://www.springframework.org/schema/tx"
                    xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                    xsi:schemaLocation="
                      http://www.springframework.org/schema/beans
                      http://www.springframework.org/schema/beans/spring-beans.xsd
                      http://www.springframework.org/schema/tx
                      http://www.springframework.org/schema/tx/spring-tx.xsd">
                  <tx:annotation-driven transaction-manager="%s"/>
                </beans>
                """
                    .formatted(manager)
                    .getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void theManagerThatXmlNamesIsLookedAt() {
    withLocal();
    xml("own");
    context.registerBean(Unqualified.class);

    context.refresh();

    assertThat(context.getBean(TransactionalMethods.class).businesses()).containsExactly("b");
  }

  @Test
  void anotherManagerThatXmlNamesStopsTheStart() {
    withLocal();
    xml("other");

    assertThat(faults(Unqualified.class))
        .singleElement()
        .asString()
        .contains("with transaction manager 'other' (expected: 'own',");
  }

  @Test
  void whereTheTransactionsOfTheMarkerFailOnlyThatIsTold() {
    with(
        () -> {
          throw new ConfigurationException(List.of("transaction managers: planned"));
        });

    assertThat(faults(Proxies.class, Named.class)).containsExactly("transaction managers: planned");
  }

  @Test
  void withoutHalfMessagesOnlyThatIsTold() {
    assertThat(faults(Proxies.class, Named.class))
        .singleElement()
        .asString()
        .contains("angarium.half.enabled=true");
  }

  @Test
  void managersThatNobodyNeedsAreNotMade() {
    withLocal();
    context.register(Proxies.class);
    context.registerBean(
        "broken",
        PlatformTransactionManager.class,
        () -> {
          throw new IllegalStateException("its database is away");
        },
        definition -> definition.setLazyInit(true));
    context.registerBean(Named.class);

    context.refresh();

    assertThat(context.getBean(TransactionalMethods.class).businesses()).containsExactly("b");
  }
}
