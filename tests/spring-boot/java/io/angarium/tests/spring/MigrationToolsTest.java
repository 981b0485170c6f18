package io.angarium.tests.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.Outbox;
import io.angarium.inbox.InboxKey;
import io.angarium.jdbc.JdbcInbox;
import io.angarium.jdbc.SchemaExport;
import io.angarium.jdbc.settings.InboxConfig;
import io.angarium.jdbc.settings.JdbcConfig;
import io.angarium.jdbc.settings.SchemaFeature;
import io.angarium.tests.spring.flyway.ScannedApplication;
import io.angarium.testservers.RequiresServer;
import io.angarium.testservers.Server;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** What docs/schema.md says about Flyway and Liquibase, beside scripts of the application. */
class MigrationToolsTest {
  @Test
  void pageShowsTheClassThatIsScannedHere() throws IOException {
    Path source =
        Path.of("../spring-boot/java/io/angarium/tests/spring/flyway/AngariumMigration.java");
    String scanned = Files.readString(source);

    assertThat(Samples.of("docs/schema.md")).filteredOn(scanned::endsWith).hasSize(1);
  }

  @Nested
  class OnH2 implements OnDatabase {
    @Override
    public Database database() {
      return Database.h2();
    }

    @Override
    public String product() {
      return "h2";
    }
  }

  @Nested
  @RequiresServer(Server.POSTGRESQL)
  class OnPostgres implements OnDatabase {
    @Override
    public Database database() {
      return Database.postgres();
    }

    @Override
    public String product() {
      return "postgresql";
    }
  }

  @Nested
  @OnOneBoot
  @RequiresServer(Server.MARIADB)
  class OnMariaDb implements OnDatabase {
    @Override
    public Database database() {
      return Database.mariaDb();
    }

    @Override
    public String product() {
      return "mariadb";
    }
  }

  interface OnDatabase {
    /** A new one. */
    Database database();

    String product();

    @Test
    default void flywayCreatesOurTablesAfterThoseOfTheApplication() {
      Database database = database();

      try (var shop = flyway(database, "classpath:recipes/flyway").start()) {
        assertWorks(shop, database, "outbox");
      }

      // a later version of the application, and tables of an earlier one of ours
      database.jdbc().execute("DROP TABLE outbox_feature");
      database.jdbc().execute("DROP TABLE inbox_feature");
      try (var shop =
          flyway(database, "classpath:recipes/flyway,classpath:recipes/flyway-later").start()) {
        assertWorks(shop, database, "outbox");
      }
      assertThat(count(database, "outbox_feature")).isOne();
      assertThat(count(database, "inbox_feature")).isOne();
      database.jdbc().update("UPDATE orders SET customer = 'ann'");
    }

    @Test
    default void flywayRunsACopyOfOurScriptsWithOtherNames(@TempDir Path folder)
        throws IOException {
      Database database = database();
      JdbcConfig outbox = JdbcConfig.DEFAULTS.tables("mail");
      InboxConfig inbox = InboxConfig.DEFAULTS.tables("mail_in");
      Files.writeString(
          folder.resolve("V58__angarium.sql"),
          SchemaExport.scripts(product(), outbox, SchemaFeature.OUTBOX, SchemaFeature.HALF)
              + SchemaExport.scripts(product(), inbox));
      String locations =
          "classpath:recipes/flyway,classpath:recipes/flyway-later,filesystem:" + folder;

      Shop copied =
          validating(database)
              .with("spring.flyway.enabled=true")
              .with("spring.flyway.locations=" + locations)
              .with("angarium.jdbc.tables=mail")
              .with("angarium.inbox.tables=mail_in")
              .with("angarium.half.enabled=true");
      try (var shop = copied.start()) {
        assertWorks(shop, database, "mail");
      }
      copied.start().close();
    }

    @Test
    default void liquibaseRunsOurChangelogsBesideThatOfTheApplication() {
      Database database = database();

      try (var shop = liquibase(database, "classpath:recipes/liquibase/changelog.xml").start()) {
        assertWorks(shop, database, "outbox");
      }

      // as if our second script was new with a later version
      database.jdbc().execute("DROP TABLE outbox_feature");
      database.jdbc().execute("DELETE FROM DATABASECHANGELOG WHERE ID LIKE 'outbox-2-%'");
      try (var shop = liquibase(database, "classpath:recipes/liquibase/later.xml").start()) {
        assertWorks(shop, database, "outbox");
      }
      assertThat(count(database, "outbox_feature")).isOne();
      database.jdbc().update("UPDATE orders SET customer = 'ann'");
    }
  }

  private static long count(Database database, String table) {
    return Objects.requireNonNull(
        database.jdbc().queryForObject("SELECT COUNT(*) FROM " + table, Long.class));
  }

  private static Shop validating(Database database) {
    return Shop.on(database)
        .withoutJpa()
        .with("angarium.jdbc.schema-mode=validate")
        .with("angarium.inbox.schema-mode=validate")
        .with("angarium.inbox.enabled=true");
  }

  private static Shop flyway(Database database, String locations) {
    return validating(database)
        .with(ScannedApplication.class)
        .with("spring.flyway.enabled=true")
        .with("spring.flyway.locations=" + locations);
  }

  private static Shop liquibase(Database database, String changelog) {
    return validating(database)
        .with("spring.liquibase.enabled=true")
        .with("spring.liquibase.change-log=" + changelog)
        .with("angarium.half.enabled=true");
  }

  private static void assertWorks(
      ConfigurableApplicationContext shop, Database database, String tables) {
    long order = count(database, "orders");
    TransactionTemplate transaction =
        new TransactionTemplate(shop.getBean(PlatformTransactionManager.class));
    transaction.executeWithoutResult(
        status -> {
          shop.getBean(JdbcTemplate.class)
              .update("INSERT INTO orders (id, state) VALUES (?, 'new')", order);
          shop.getBean(Outbox.class)
              .send(Message.of("mailbox:orders", new byte[] {1}).key("order-" + order));
        });
    shop.getBean(Mailbox.class).next();
    assertThat(shop.getBean(Mailbox.class).keys()).containsExactly("order-" + order);
    assertThat(count(database, tables + "_dead")).isZero();
    assertThat(
            shop.getBean(JdbcInbox.class)
                .process(InboxKey.of("stock", "order-" + order), connection -> {}))
        .isTrue();
  }
}
