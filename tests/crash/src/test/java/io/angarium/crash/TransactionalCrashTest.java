package io.angarium.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.angarium.half.Verdict;
import io.angarium.jdbc.JdbcDatabase;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaMode;
import io.angarium.testservers.DatabaseServer;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.RocketServer;
import io.angarium.testservers.Server;
import io.angarium.testservers.ServerOptions;
import io.angarium.testservers.TestDatabase;
import io.angarium.testservers.Thorough;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.rocketmq.client.consumer.DefaultLitePullConsumer;
import org.apache.rocketmq.common.consumer.ConsumeFromWhere;
import org.apache.rocketmq.common.message.MessageExt;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Transactional messages of processes that are killed. Brokers ask after a second here. */
@RequiresServer({Server.POSTGRESQL, Server.ROCKETMQ})
class TransactionalCrashTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int KILLS = 6;
  private static final int SALES_MIN = 10;

  private static DatabaseServer postgres;
  private static RocketServer rocket;

  private final List<ShopProcess> shops = new ArrayList<>();
  private final Set<String> delivered = new TreeSet<>();
  private TestDatabase database;
  private HikariDataSource pool;
  private DefaultLitePullConsumer consumer;
  private String topic;

  @BeforeAll
  static void startServers() {
    ServerOptions options = ServerOptions.standard().ownProcess();
    postgres = DatabaseServer.start(Server.POSTGRESQL, options.durable());
    rocket =
        RocketServer.start(
            options
                .setting("autoCreateTopicEnable", "false")
                .setting("transactionTimeOut", "1000")
                .setting("transactionCheckInterval", "1000")
                .setting("transactionCheckMax", "1000"));
  }

  @AfterAll
  static void stopServers() {
    rocket.close();
    postgres.close();
  }

  @BeforeEach
  void prepare() throws Exception {
    database = postgres.freshDatabase();
    pool = Service.pool(database.url(), database.user(), database.password());
    JdbcDatabase.open(pool, JdbcConfig.DEFAULTS.schemaMode(SchemaMode.CREATE)).markers();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE sale (id text PRIMARY KEY)");
    }
    topic = "sales-" + System.nanoTime();
    rocket.createTopic(topic, 2);
    consumer = new DefaultLitePullConsumer("reader-" + topic);
    consumer.setNamesrvAddr(rocket.directNameServer());
    consumer.setMqClientApiTimeout(30_000); // 3 s are little on a busy machine
    consumer.setInstanceName(topic);
    consumer.setAutoCommit(false);
    consumer.setConsumeFromWhere(ConsumeFromWhere.CONSUME_FROM_FIRST_OFFSET);
    consumer.start();
    consumer.assign(consumer.fetchMessageQueues(topic));
  }

  @AfterEach
  void stop() throws Exception {
    for (ShopProcess shop : shops) {
      shop.kill();
    }
    consumer.shutdown();
    pool.close();
  }

  private ShopProcess start(int sellers, CrashPoint point, int passes) throws Exception {
    ShopProcess shop =
        ShopProcess.start(
            List.of(
                database.url(),
                database.user(),
                database.password(),
                rocket.nameServer(),
                topic,
                "shop-" + shops.size(),
                Integer.toString(sellers),
                point.name(),
                Integer.toString(passes)));
    shops.add(shop);
    shop.await(Shop.READY);
    return shop;
  }

  private Set<String> committed() throws SQLException {
    Set<String> ids = new TreeSet<>();
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT id FROM sale")) {
      while (rows.next()) {
        ids.add(rows.getString(1));
      }
    }
    return ids;
  }

  /** Reads on for so long, or until it is enough. */
  private void read(Duration limit, Waiting.Condition enough) throws Exception {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!enough.holds() && System.nanoTime() < deadline) {
      for (MessageExt message : consumer.poll(100)) {
        delivered.add(new String(message.getBody(), StandardCharsets.UTF_8));
      }
    }
  }

  @Test
  void killedBetweenCommitAndEndIsDeliveredByTheCheckBackAfterARestart() throws Exception {
    ShopProcess victim = start(1, CrashPoint.AFTER_COMMIT, 3);
    victim.await(Tripwire.SIGN);
    victim.kill();
    Set<String> committed = committed();
    read(LIMIT, () -> delivered.size() >= committed.size() - 1);
    read(Duration.ofSeconds(2), () -> false); // nothing else comes
    assertThat(delivered).hasSize(committed.size() - 1);

    ShopProcess restarted = start(0, CrashPoint.ANY_TIME, 0);

    restarted.await(Shop.ANSWER + Verdict.COMMITTED);
    read(LIMIT, () -> delivered.containsAll(committed));
    assertThat(delivered).isEqualTo(committed);
  }

  @Test
  void killedBeforeTheCommitIsRolledBackAndNeverDelivered() throws Exception {
    ShopProcess victim = start(1, CrashPoint.BEFORE_COMMIT, 3);
    victim.await(Tripwire.SIGN);
    victim.kill();

    ShopProcess restarted = start(0, CrashPoint.ANY_TIME, 0);

    restarted.await(Shop.ANSWER + Verdict.ROLLED_BACK);
    read(LIMIT, () -> delivered.containsAll(committed()));
    read(Duration.ofSeconds(5), () -> false); // nothing else comes
    assertThat(delivered).isEqualTo(committed()).hasSize(3);
  }

  /** However slow the machine is, a shop is killed while it sells. */
  private void awaitSales(int number) throws Exception {
    long deadline = System.nanoTime() + LIMIT.toNanos();
    while (committed().size() < number) {
      assertThat(System.nanoTime()).as("sales: " + committed().size()).isLessThan(deadline);
      new CountDownLatch(1).await(20, TimeUnit.MILLISECONDS);
    }
  }

  @Thorough
  @Test
  void killedAtAnyTimeNothingCommittedIsLostAndNothingElseDelivered() throws Exception {
    long seed = System.nanoTime();
    System.out.println("Kills of shops with seed " + seed);
    Random random = new Random(seed);
    for (int i = 0; i < KILLS; i++) {
      ShopProcess victim = start(4, CrashPoint.ANY_TIME, 0);
      awaitSales(committed().size() + SALES_MIN + random.nextInt(200));
      new CountDownLatch(1).await(random.nextInt(20_000), TimeUnit.MICROSECONDS);
      victim.kill();
    }

    start(0, CrashPoint.ANY_TIME, 0);

    // Anew each time: a commit of a killed shop may still be under way in the database.
    read(LIMIT, () -> delivered.containsAll(committed()));
    // What was rolled back would come by a check-back at the latest.
    read(Duration.ofSeconds(8), () -> false);
    Set<String> committed = committed();
    assertThat(committed).hasSizeGreaterThanOrEqualTo(KILLS * SALES_MIN);
    assertThat(delivered).isEqualTo(committed);
  }
}
