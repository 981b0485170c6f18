package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.Outbox;
import io.angarium.intake.CommittedMessages;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.JdbcOutboxStore;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.spring.OutboxTransactions;
import io.angarium.spring.SpringInbox;
import io.angarium.spring.SpringOutbox;
import io.angarium.testkit.RecordingHandover;
import io.angarium.testkit.tck.OutboxFixture;
import io.angarium.testkit.tck.OutboxTck;
import io.angarium.testservers.Rival;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's outbox with one kind of transaction manager, on an empty database. */
final class SpringOutboxFixture implements OutboxFixture {
  private final HikariDataSource dataSource;
  private final List<CommittedMessages> handedOver = new ArrayList<>();
  private final JdbcOutboxStore store;
  private final SpringOutbox outbox;
  private final JdbcTemplate jdbc;
  private final PlatformTransactionManager manager;
  private final Statements statements;
  private final @Nullable EntityManagerFactory factory;
  private final boolean abortsOnError;

  /** How the business runs its statements. */
  @FunctionalInterface
  private interface Statements {
    void execute(String sql);
  }

  private enum Style {
    JDBC,
    JPA,
    JDBC_IN_JPA
  }

  private SpringOutboxFixture(Database database, Style style) {
    dataSource = new HikariDataSource();
    dataSource.setJdbcUrl(database.url());
    dataSource.setUsername(database.user());
    dataSource.setPassword(database.password());
    abortsOnError = database.url().startsWith("jdbc:postgresql:");
    JdbcDatabase opened =
        JdbcDatabase.open(dataSource, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    store = opened.store();
    outbox =
        new SpringOutbox(
            dataSource,
            OutboxTck.intake(),
            opened.writer(),
            new RecordingHandover(handedOver));
    jdbc = new JdbcTemplate(dataSource);
    jdbc.execute("CREATE TABLE line (text VARCHAR(100))");
    Rival.createTable(dataSource);
    factory = style == Style.JDBC ? null : factory(dataSource);
    ConfigurableTransactionManager configurable;
    if (factory == null) {
      JdbcTransactionManager ofJdbc = new JdbcTransactionManager(dataSource);
      manager = ofJdbc;
      configurable = ofJdbc;
    } else {
      JpaTransactionManager ofJpa = new JpaTransactionManager(factory);
      manager = ofJpa;
      configurable = ofJpa;
    }
    configurable.addListener(new OutboxTransactions());
    statements = style == Style.JPA ? ofJpa(factory) : jdbc::update;
  }

  /** JdbcTemplate in transactions of JDBC. */
  static SpringOutboxFixture jdbc(Database database) {
    return new SpringOutboxFixture(database, Style.JDBC);
  }

  /** Hibernate in transactions of JPA. */
  static SpringOutboxFixture jpa(Database database) {
    return new SpringOutboxFixture(database, Style.JPA);
  }

  /** JdbcTemplate in transactions of JPA. */
  static SpringOutboxFixture jdbcInJpa(Database database) {
    return new SpringOutboxFixture(database, Style.JDBC_IN_JPA);
  }

  private static @Nullable EntityManagerFactory factory(HikariDataSource dataSource) {
    LocalContainerEntityManagerFactoryBean bean = new LocalContainerEntityManagerFactoryBean();
    bean.setDataSource(dataSource);
    bean.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
    bean.setManagedTypes(PersistenceManagedTypes.of(OrderRow.class.getName()));
    bean.afterPropertiesSet();
    return bean.getObject();
  }

  private static Statements ofJpa(@Nullable EntityManagerFactory factory) {
    var manager = SharedEntityManagerCreator.createSharedEntityManager(factory);
    return sql -> manager.createNativeQuery(sql).executeUpdate();
  }

  JdbcTemplate jdbc() {
    return jdbc;
  }

  @Override
  public void run(Work work) throws Exception {
    try (Rival rival = Rival.begin(dataSource)) {
      new TransactionTemplate(manager)
          .executeWithoutResult(
              status -> {
                try {
                  work.in(new InSpring(status, rival));
                } catch (RuntimeException e) {
                  throw e;
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
    }
  }

  /** An inbox whose transactions are those of {@link #run}, or of its own. */
  SpringInbox inbox() {
    JdbcInbox inbox =
        JdbcInbox.open(dataSource, InboxConfig.DEFAULTS.schemaMode(SchemaMode.CREATE));
    return new SpringInbox(dataSource, manager, inbox);
  }

  SpringOutbox outbox() {
    return outbox;
  }

  /** Runs a part in a transaction within the one of {@link #run}. */
  void within(int propagation, Runnable work) {
    TransactionTemplate inner = new TransactionTemplate(manager);
    inner.setPropagationBehavior(propagation);
    inner.executeWithoutResult(status -> work.run());
  }

  /** Releases a savepoint of a transaction of {@link #run}. */
  void release(Transaction transaction, Object savepoint) {
    ((InSpring) transaction).status.releaseSavepoint(savepoint);
  }

  /** Fails in a transaction within, which the outer one swallows. */
  void failWithin(int propagation) {
    assertThatThrownBy(
            () ->
                within(
                    propagation,
                    () -> {
                      throw new IllegalStateException("planned");
                    }))
        .hasMessage("planned");
  }

  private final class InSpring implements Transaction {
    private final TransactionStatus status;
    private final Rival rival;

    InSpring(TransactionStatus status, Rival rival) {
      this.status = status;
      this.rival = rival;
    }

    @Override
    public Outbox outbox() {
      return outbox;
    }

    @Override
    public void write(String line) {
      statements.execute("INSERT INTO line VALUES ('" + line + "')");
    }

    @Override
    public Object savepoint() {
      return status.createSavepoint();
    }

    @Override
    public void rollBackTo(Object savepoint) {
      status.rollbackToSavepoint(savepoint);
    }

    @Override
    public void swallowError() {
      assertThatThrownBy(() -> statements.execute("INSERT INTO nowhere VALUES (1)"))
          .isInstanceOf(RuntimeException.class);
    }

    @Override
    public void swallowDeadlock() {
      if (abortsOnError) {
        swallowError();
        return;
      }
      try {
        rival.beat(statements::execute);
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Override
  public boolean commits() {
    return false;
  }

  @Override
  public List<String> lines() {
    return jdbc.queryForList("SELECT text FROM line", String.class);
  }

  @Override
  public JdbcOutboxStore store() {
    return store;
  }

  @Override
  public List<CommittedMessages> handedOver() {
    return handedOver;
  }

  @Override
  public void close() {
    store.close();
    if (factory != null) {
      factory.close();
    }
    dataSource.close();
  }
}
