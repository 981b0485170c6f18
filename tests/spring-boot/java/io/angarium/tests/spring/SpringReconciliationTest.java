package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.angarium.ConfigurationException;
import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.Outbox;
import io.angarium.inbox.InboxKey;
import io.angarium.intake.StoredMessage;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.reconciliation.QueriedKeys;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.reconciliation.Reconciliation;
import io.angarium.reconciliation.ReconciliationListener;
import io.angarium.reconciliation.Report;
import io.angarium.reconciliation.ReportDesk;
import io.angarium.reconciliation.ReportQuery;
import io.angarium.reconciliation.ReportShelf;
import io.angarium.reconciliation.StoredReport;
import io.angarium.reconciliation.TaskProgress;
import io.angarium.spring.SpringInbox;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Reconciliations by properties. Producer and consumer are one application here. */
class SpringReconciliationTest {
  private static final String ORDERS = "mailbox:orders";
  private static final String TASKS = "angarium.reconciliation.tasks.";
  private static final String THREAD = "angarium-reconciliation-";
  private static final long LIMIT_SECONDS = 60;

  /** Windows are as short as they can be, and messages are committed within the delay. */
  private static Shop shop(Database database, String task) {
    return Shop.on(database)
        .withoutJpa()
        .with(Hearing.class)
        .with("angarium.jdbc.history=true")
        .with("angarium.inbox.enabled=true")
        .with("angarium.inbox.schema-mode=create")
        .with(TASKS + task + ".window=1s")
        .with(TASKS + task + ".delay=5s");
  }

  private static Shop comparing(Database database) {
    return shop(database, "orders")
        .with(TASKS + "orders.destination=" + ORDERS)
        .with(TASKS + "orders.consumer=stock");
  }

  @Configuration(proxyBeanMethods = false)
  static class Hearing {
    @Bean
    Heard heard() {
      return new Heard();
    }
  }

  /** What a task has found; fails at the first difference, if it is to. */
  static final class Heard implements ReconciliationListener {
    private record Found(String task, Report report) {}

    private final BlockingQueue<Found> found = new LinkedBlockingQueue<>();
    private volatile @Nullable Runnable beforeItFails;

    @Override
    public void compared(String task, Report report) {
      found.add(new Found(task, report));
      Runnable before = beforeItFails;
      if (before != null && !report.agrees()) {
        beforeItFails = null;
        before.run();
        throw new IllegalStateException("planned");
      }
    }

    /** The next one of such a kind; fails if none comes. */
    Found next(Predicate<Report> kind) throws InterruptedException {
      long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
      while (true) {
        Found next = found.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
        assertThat(next).as("a report within %d s", LIMIT_SECONDS).isNotNull();
        if (kind.test(next.report())) {
          return next;
        }
      }
    }

    Found difference() throws InterruptedException {
      return next(report -> !report.agrees());
    }
  }

  /** One that its consumer processes in the same transaction, and one that it never gets. */
  private static MessageId sendTwoOfWhichOneIsLost(ConfigurableApplicationContext context) {
    Outbox outbox = context.getBean(Outbox.class);
    return inTransaction(
        context,
        () -> {
          MessageId processed = outbox.send(Message.of(ORDERS, new byte[] {1}));
          context.getBean(SpringInbox.class).process(InboxKey.of("stock", processed), c -> {});
          return outbox.send(Message.of(ORDERS, new byte[] {2}));
        });
  }

  private static MessageId inTransaction(
      ConfigurableApplicationContext context, Supplier<MessageId> work) {
    return Objects.requireNonNull(
        new TransactionTemplate(context.getBean(PlatformTransactionManager.class))
            .execute(status -> work.get()));
  }

  private static void checkRepair(Database database) throws Exception {
    try (ConfigurableApplicationContext context =
        comparing(database).with(TASKS + "orders.repair=true").start()) {
      Heard heard = context.getBean(Heard.class);
      Mailbox mailbox = context.getBean(Mailbox.class);
      SpringInbox inbox = context.getBean(SpringInbox.class);

      MessageId lost = sendTwoOfWhichOneIsLost(context);
      assertThat(mailbox.next().id()).isNotEqualTo(mailbox.next().id());
      Heard.Found found = heard.difference();

      assertThat(found.task()).isEqualTo("orders");
      assertThat(found.report().missing()).containsExactly(lost.toString());
      StoredMessage again = mailbox.next();
      assertThat(again.id()).isEqualTo(lost);
      assertThat(again.message().payload()).containsExactly(2);
      assertThat(inbox.process(InboxKey.of("stock", again.id()), c -> {})).isTrue();
      assertThat(inbox.process(InboxKey.of("stock", again.id()), c -> {})).isFalse();
    }
  }

  @Test
  @OnOneBoot
  void messageThatWasLostIsFoundAndSentAgainOnH2() throws Exception {
    checkRepair(Database.h2());
  }

  @Test
  @OnOneBoot
  @RequiresServer(Server.POSTGRESQL)
  void messageThatWasLostIsFoundAndSentAgainOnPostgres() throws Exception {
    checkRepair(Database.postgres());
  }

  @Test
  @OnOneBoot
  void reportsAreKeptForPersonsWithTheirRepair() throws Exception {
    try (ConfigurableApplicationContext context =
        comparing(Database.h2())
            .with("angarium.reconciliation.reports=true")
            .with(TASKS + "orders.repair=true")
            .start()) {
      Heard heard = context.getBean(Heard.class);
      Mailbox mailbox = context.getBean(Mailbox.class);

      MessageId lost = sendTwoOfWhichOneIsLost(context);
      mailbox.next();
      mailbox.next();
      heard.difference();
      mailbox.next();
      heard.next(Report::agrees); // a later window, so the repair is noted

      ReportDesk desk = context.getBean(JdbcDatabase.class).reportDesk();
      StoredReport kept = desk.page(new ReportQuery("orders", true, null, 10)).get(0);
      StoredReport.Repair repair = Objects.requireNonNull(kept.repair());
      assertThat(kept.destination()).isEqualTo(ORDERS);
      assertThat(desk.keys(kept.id()).orElseThrow().missing()).containsExactly(lost.toString());
      assertThat(repair.by()).isEqualTo("reconciliation orders");
      assertThat(repair.sentAgain()).isEqualTo(1);
      assertThat(context.getBean(ReportShelf.class).open(Duration.ofHours(1), 10)).isEmpty();
    }
  }

  @Test
  @OnOneBoot
  void withoutThePropertyNoReportsAreKept() throws Exception {
    try (ConfigurableApplicationContext context = comparing(Database.h2()).start()) {
      context.getBean(Heard.class).next(Report::agrees);

      assertThat(context.getBeanProvider(ReportShelf.class).getIfAvailable()).isNull();
      assertThat(context.getBean(JdbcDatabase.class).has(SchemaFeature.REPORT)).isFalse();
    }
  }

  @Test
  @OnOneBoot
  void withoutRepairItIsOnlyTold() throws Exception {
    Database database = Database.h2();
    try (ConfigurableApplicationContext context = comparing(database).start()) {
      Heard heard = context.getBean(Heard.class);
      Mailbox mailbox = context.getBean(Mailbox.class);

      MessageId lost = sendTwoOfWhichOneIsLost(context);
      mailbox.next();
      mailbox.next();

      assertThat(heard.difference().report().missing()).containsExactly(lost.toString());
      heard.next(Report::agrees); // a later window, so the other one is done
      assertThat(sendings(database)).isEqualTo(2);
    }
  }

  @Test
  @OnOneBoot
  void windowIsComparedAgainIfAListenerThrowsAndIsRepairedWhenAllHaveHeardOfIt() throws Exception {
    Database database = Database.h2();
    try (ConfigurableApplicationContext context =
        comparing(database).with(TASKS + "orders.repair=true").start()) {
      Heard heard = context.getBean(Heard.class);
      Mailbox mailbox = context.getBean(Mailbox.class);
      Queue<Long> before = new ConcurrentLinkedQueue<>();
      heard.beforeItFails = () -> before.add(sendings(database));

      sendTwoOfWhichOneIsLost(context);
      mailbox.next();
      mailbox.next();
      Report first = heard.difference().report();
      Report second = heard.difference().report();

      assertThat(second).isEqualTo(first);
      assertThat(before).containsExactly(2L);
      heard.next(Report::agrees);
      assertThat(mailbox.next().id().toString()).isEqualTo(first.missing().get(0));
      assertThat(sendings(database)).isEqualTo(3);
    }
  }

  /** How often messages were sent, once nothing waits. */
  private static long sendings(Database database) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
    while (database.unsent() > 0 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(10_000_000);
    }
    assertThat(database.unsent()).isZero();
    Long rows = database.jdbc().queryForObject("SELECT COUNT(*) FROM outbox_sent", Long.class);
    return rows == null ? 0 : rows;
  }

  @Test
  void beanOfTheNameOfATaskIsCompared() throws Exception {
    Database database = Database.h2().withOrders();
    database.jdbc().execute("CREATE TABLE movement (order_id BIGINT)");
    database.jdbc().execute("INSERT INTO orders VALUES (4711, 'PAID')");
    try (ConfigurableApplicationContext context =
        shop(database, "ordersAndStock").with(Beans.class).start()) {
      Heard.Found found = context.getBean(Heard.class).difference();

      assertThat(found.task()).isEqualTo("ordersAndStock");
      assertThat(found.report().missing()).containsExactly("4711");
      assertThat(threads()).containsExactly(THREAD + "ordersAndStock");
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Beans {
    @Bean
    Reconciliation ordersAndStock(DataSource database) {
      return new Reconciliation(
          keys("orders", database, "SELECT id FROM orders"),
          keys("movements", database, "SELECT order_id FROM movement"));
    }

    /** Nothing compares it by itself. */
    @Bean
    Reconciliation byHand(DataSource database) {
      return ordersAndStock(database);
    }

    /** All are in each window. */
    private static QueriedKeys keys(String name, DataSource database, String query) {
      return new QueriedKeys(
          name, database, query + " WHERE CAST(? AS TIMESTAMP) < CAST(? AS TIMESTAMP)");
    }
  }

  @Test
  void tasksStopWithTheContextAndStartWithItAgain() throws Exception {
    try (ConfigurableApplicationContext context = comparing(Database.h2()).start()) {
      Heard heard = context.getBean(Heard.class);
      heard.next(Report::agrees);
      assertThat(threads()).containsExactly(THREAD + "orders");

      context.stop();
      assertThat(threads()).isEmpty();
      heard.found.clear();

      context.start();
      heard.next(Report::agrees);
    }
    assertThat(threads()).isEmpty();
  }

  @Test
  void nothingRunsWithoutATask() {
    Shop withoutTasks = Shop.on(Database.h2()).withoutJpa().with(Hearing.class).with(Beans.class);

    checkNothingRuns(withoutTasks);
    checkNothingRuns(withoutTasks.with(TASKS + "byHand.enabled=false"));
    checkNothingRuns(comparing(Database.h2()).with("angarium.reconciliation.enabled=false"));
  }

  private static void checkNothingRuns(Shop shop) {
    try (ConfigurableApplicationContext context = shop.start()) {
      assertThat(context.isRunning()).isTrue();
      assertThat(threads()).isEmpty();
    }
  }

  @Test
  void withoutThePropertiesThereIsNotEvenABean() {
    try (ConfigurableApplicationContext context =
        Shop.on(Database.h2()).withoutJpa().with(Beans.class).start()) {
      assertThat(context.getBeanNamesForType(TaskProgress.class)).isEmpty();
      assertThat(context.containsBean("angariumReconciliations")).isFalse();
    }
  }

  private static List<String> threads() {
    return Thread.getAllStackTraces().keySet().stream()
        .map(Thread::getName)
        .filter(name -> name.startsWith(THREAD))
        .toList();
  }

  @Test
  @OnOneBoot
  void everyFaultOfTheTasksIsListedWithTheOthers() {
    List<String> faults =
        faults(
            Shop.on(Database.h2())
                .withoutJpa()
                .with(Beans.class)
                .with("angarium.relay.grace=soon")
                .with("angarium.retention.sent=3d")
                .with(TASKS + "nobody.enabled=true")
                .with(TASKS + "word=true")
                .with(TASKS + "byHand.destination=kafka:orders")
                .with(TASKS + "lonely.consumer=stock")
                .with(TASKS + "orders.destination=kafka:orders")
                .with(TASKS + "orders.consumer=" + "stock".repeat(21))
                .with(TASKS + "orders.window=8d")
                .with(TASKS + "orders.repeair=true")
                .with(TASKS + "long.destination=kafka:orders")
                .with(TASKS + "long.consumer=stock"));

    assertThat(faults)
        .anyMatch(f -> f.startsWith("angarium.relay.grace: soon (expected: "))
        .anyMatch(
            f ->
                f.startsWith(TASKS + "nobody: the name of no bean (expected: ")
                    && f.contains("one of [byHand, ordersAndStock]"))
        .anyMatch(f -> f.startsWith(TASKS + "word: true (expected: no value, but properties"))
        .anyMatch(f -> f.startsWith(TASKS + "byHand: the name of a bean of type Reconciliation"))
        .anyMatch(f -> f.startsWith(TASKS + "byHand.consumer: none (expected: 1..100 characters"))
        .anyMatch(f -> f.startsWith(TASKS + "lonely.destination: none (expected: e.g. kafka:ord"))
        .anyMatch(f -> f.startsWith(TASKS + "orders.consumer: stockstock"))
        .anyMatch(f -> f.startsWith(TASKS + "orders.window: 8d (expected: 1s..7d)"))
        .anyMatch(f -> f.startsWith(TASKS + "orders.age-max: 7d (expected: longer than window"))
        .anyMatch(f -> f.startsWith(TASKS + "orders.repeair: unknown property"))
        .anyMatch(f -> f.startsWith(TASKS + "long.age-max: 7d (expected: at most 3d, as "))
        .anyMatch(f -> f.startsWith("angarium.jdbc.history: false (expected: true, as a recon"))
        .anyMatch(f -> f.startsWith("angarium.inbox.enabled: false (expected: true, as a recon"))
        .hasSize(13);
  }

  @Test
  @OnOneBoot
  void inboxThatForgetsSoonerThanWindowsAreLeftOutIsAFault() {
    Shop shop =
        comparing(Database.h2())
            .with("angarium.inbox.retention=2d")
            .with("angarium.inbox.replay-window=1d");

    assertThat(faults(shop))
        .singleElement()
        .asString()
        .startsWith(
            TASKS
                + "orders.age-max: 7d (expected: at most 2d, as angarium.inbox.retention"
                + " says");
  }

  /** What only the beans know. */
  @Test
  @OnOneBoot
  void everyFaultOfComparedBeansIsListed() {
    Shop shop =
        Shop.on(Database.h2())
            .withoutJpa()
            .with(Beans.class)
            .with(OfMessages.class)
            .with("angarium.jdbc.history=true")
            .with("angarium.inbox.enabled=true")
            .with("angarium.inbox.schema-mode=create")
            .with(TASKS + "byHand.repair=true")
            .with(TASKS + "ordersAndStock.repair=true")
            .with(TASKS + "messages.repair=true")
            .with(TASKS + "messages.age-max=15d");

    assertThat(faults(shop))
        .anyMatch(f -> f.startsWith(TASKS + "byHand.repair: true (expected: false, as the first"))
        .anyMatch(f -> f.startsWith(TASKS + "ordersAndStock.repair: true (expected: false, as"))
        .anyMatch(f -> f.startsWith(TASKS + "messages.age-max: 15d (expected: at most 14d"))
        .hasSize(3);
  }

  @Test
  @OnOneBoot
  void beanOfMessagesWithoutAHistoryIsAFault() {
    Shop shop =
        Shop.on(Database.h2())
            .withoutJpa()
            .with(OfMessages.class)
            .with("angarium.inbox.enabled=true")
            .with("angarium.inbox.schema-mode=create")
            .with(TASKS + "messages.enabled=true");

    assertThat(faults(shop))
        .singleElement()
        .asString()
        .startsWith("jdbc.history: false (expected: true");
  }

  @Configuration(proxyBeanMethods = false)
  static class OfMessages {
    @Bean
    Reconciliation messages(JdbcDatabase database, JdbcInbox inbox) {
      return new Reconciliation(database.produced(ORDERS), inbox.consumed("stock"));
    }
  }

  @Test
  @OnOneBoot
  void applicationThatOnlyConsumesHasNoTasks() {
    Shop consumer = comparing(Database.h2()).with("angarium.enabled=false");

    assertThat(faults(consumer))
        .singleElement()
        .asString()
        .startsWith("angarium.reconciliation.enabled: true (expected: false, as there is no outb");
    checkNothingRuns(consumer.with("angarium.reconciliation.enabled=false"));
    // neither sends nor consumes
    checkNothingRuns(
        Shop.on(Database.h2())
            .withoutJpa()
            .with("angarium.enabled=false")
            .with(TASKS + "orders.enabled=true"));
  }

  private static List<String> faults(Shop shop) {
    Throwable failure =
        catchThrowable(
            () -> {
              try (ConfigurableApplicationContext context = shop.start()) {
                assertThat(context.isRunning()).isTrue();
              }
            });
    @Nullable Throwable found = failure;
    while (found != null && !(found instanceof ConfigurationException)) {
      found = found.getCause();
    }
    assertThat(found).as("%s", failure).isNotNull();
    return ((ConfigurationException) Objects.requireNonNull(found)).faults();
  }
}
