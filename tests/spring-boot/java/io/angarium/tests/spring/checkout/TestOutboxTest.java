package io.angarium.tests.spring.checkout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.BusinessKey.Uniqueness;
import io.angarium.DuplicateBusinessKeyException;
import io.angarium.NoTransactionException;
import io.angarium.confirmation.Receipts;
import io.angarium.jdbc.InboxRotation;
import io.angarium.spring.operate.RelayLifecycle;
import io.angarium.spring.test.AutoConfigureTestOutbox;
import io.angarium.testkit.ExpectedMessage;
import io.angarium.testkit.PublishedMessages;
import io.angarium.transport.Transport;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.ApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.test.context.transaction.TestTransaction;
import org.springframework.transaction.ConfigurableTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionExecution;
import org.springframework.transaction.TransactionExecutionListener;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

/** {@link AutoConfigureTestOutbox} in an application that is configured for production. */
@SpringBootTest(
    properties = {
      "angarium.kafka.enabled=true", // and nobody says where it is
      "angarium.rabbitmq.enabled=true",
      "angarium.rocketmq.enabled=true",
      "angarium.rocketmq.transactions.enabled=true",
      "angarium.confirmation.report-to=kafka:orders.receipts",
      "angarium.confirmation.destinations=kafka:orders",
      "angarium.reconciliation.tasks.orders.destination=kafka:orders", // and there is no history
      "angarium.reconciliation.tasks.orders.consumer=stock"
    })
@AutoConfigureTestOutbox
class TestOutboxTest {
  @Autowired Checkout checkout;
  @Autowired PublishedMessages published;
  @Autowired PlatformTransactionManager transactions;
  @Autowired JdbcTemplate jdbc;
  @Autowired ApplicationContext context;

  @Test
  void messagesArePublishedByTheirCommitAndInTheirOrder() {
    new TransactionTemplate(transactions)
        .executeWithoutResult(
            status -> {
              checkout.pay("1");
              checkout.pay("2");
              assertThat(published.messages()).isEmpty();
            });

    published.containsExactly(order("1").payload("{\"id\":1}").type("order-paid"), order("2"));
  }

  @Test
  void whatIsRolledBackIsNotPublished() {
    assertThatThrownBy(() -> checkout.payAndFail("1")).hasMessage("planned");

    published.isEmpty();
  }

  @Test
  void whatFailsInItsCommitIsNotPublished() {
    AtomicBoolean failing = new AtomicBoolean(true);
    TransactionExecutionListener database =
        new TransactionExecutionListener() {
          @Override
          public void beforeCommit(TransactionExecution transaction) {
            if (failing.getAndSet(false)) {
              throw new IllegalStateException("planned");
            }
          }
        };
    ((ConfigurableTransactionManager) transactions).addListener(database);

    assertThatThrownBy(() -> checkout.payOnce("1", Uniqueness.REFUSE)).hasMessage("planned");
    published.isEmpty();
    checkout.payOnce("1", Uniqueness.REFUSE);

    published.containsExactly(order("1"));
  }

  @Test
  void withoutATransactionNothingIsTaken() {
    assertThatThrownBy(() -> checkout.payWithoutTransaction("1"))
        .isInstanceOf(NoTransactionException.class);

    published.isEmpty();
  }

  /** The second run would find messages and business keys of the first one. */
  @RepeatedTest(2)
  void everyTestBeginsWithNothing() {
    published.isEmpty();
    checkout.payOnce("1", Uniqueness.REFUSE);

    published.containsExactly(order("1"));
  }

  @Test
  void uniqueBusinessKeysAreUnique() {
    assertThatThrownBy(() -> checkout.payOnceAndFail("1")).hasMessage("planned");
    checkout.payOnce("1", Uniqueness.REFUSE);
    checkout.payOnce("1", Uniqueness.IGNORE);
    assertThatThrownBy(() -> checkout.payOnce("1", Uniqueness.REFUSE))
        .isInstanceOf(DuplicateBusinessKeyException.class);
    checkout.payOnce("2", Uniqueness.IGNORE);

    published.containsExactly(order("1"), order("2"));
  }

  @Test
  @Transactional
  void transactionOfTheTestPublishesWhenItIsCommitted() {
    checkout.pay("1");
    assertThatThrownBy(() -> published.containsExactly(order("1")))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("TestTransaction.flagForCommit()");

    TestTransaction.flagForCommit();
    TestTransaction.end();

    published.containsExactly(order("1"));
  }

  @Test
  void nothingIsRelayedNorWritten() {
    checkout.pay("1");

    assertThat(context.getBeanNamesForType(RelayLifecycle.class)).isEmpty();
    assertThat(context.getBeanNamesForType(Transport.class)).isEmpty();
    assertThat(context.getBeanNamesForType(InboxRotation.class)).isEmpty();
    assertThat(context.getBeanNamesForType(Receipts.class)).isEmpty();
    assertThat(tables()).contains("INBOX", "PAID").doesNotContain("OUTBOX");
  }

  private List<String> tables() {
    return jdbc.queryForList(
        "SELECT table_name FROM information_schema.tables WHERE table_schema = 'PUBLIC'",
        String.class);
  }

  private static ExpectedMessage order(String id) {
    return ExpectedMessage.to("kafka:orders").key(id);
  }
}
