package io.angarium.quickstart.demo;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.quickstart.demo.StockAudit.Findings;
import java.sql.Connection;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabase;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseBuilder;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;

class StockAuditTest {
  private EmbeddedDatabase database;
  private StockAudit audit;

  @BeforeEach
  void createTables() {
    database =
        new EmbeddedDatabaseBuilder()
            .setType(EmbeddedDatabaseType.H2)
            .generateUniqueName(true)
            .addScript("schema.sql")
            .build();
    audit = new StockAudit(JdbcClient.create(database));
  }

  @AfterEach
  void dropThem() {
    database.shutdown();
  }

  @Test
  void aMovementCommittedAfterALaterOneWasReadIsCounted() throws Exception {
    try (Connection slow = database.getConnection()) {
      slow.setAutoCommit(false);
      book(new SingleConnectionDataSource(slow, true), "Ada", 1);
      book(database, "Grace", 1);
      Findings meanwhile = audit.findings();

      slow.commit();
      book(database, "Ada", 2);

      assertThat(meanwhile).isEqualTo(new Findings(1, 0));
      assertThat(audit.findings()).isEqualTo(new Findings(3, 0));
    }
  }

  @Test
  void movementsThatDoNotFollowTheOrderBeforeOfTheirCustomerAreOutOfOrder() {
    book(database, "Ada", 1);
    book(database, "Grace", 2);
    book(database, "Ada", 3);
    book(database, "Ada", 2);
    book(database, "Grace", 3);

    assertThat(audit.findings()).isEqualTo(new Findings(5, 3));
  }

  @Test
  void nothingIsFoundWhereNothingWasBooked() {
    assertThat(audit.findings()).isEqualTo(new Findings(0, 0));
  }

  private static void book(DataSource dataSource, String customer, int number) {
    JdbcClient.create(dataSource)
        .sql(
            """
            INSERT INTO stock_movement
              (message_id, order_id, customer, order_no, item, quantity, booked_at)
            VALUES (?, 1, ?, ?, 'lamp', 1, CURRENT_TIMESTAMP)
            """)
        .params(customer + number, customer, number)
        .update();
  }
}
