package io.angarium.spring.autoconfigure.internal.run;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.MessageId;
import io.angarium.confirmation.Confirmations;
import io.angarium.confirmation.ReceiptIntake;
import io.angarium.confirmation.Receipts;
import io.angarium.inbox.Inbox;
import io.angarium.spring.settings.AngariumProperties;
import io.angarium.testkit.memory.InMemoryInbox;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** What of the confirmation cannot work is told at the start, and nothing else. */
class ConfirmationWarningsTest {
  private static AngariumProperties.Confirmation given(
      List<String> destinations, @Nullable String receiptsFrom, boolean overHttp) {
    return given(destinations, receiptsFrom, overHttp, null);
  }

  private static AngariumProperties.Confirmation given(
      List<String> destinations,
      @Nullable String receiptsFrom,
      boolean overHttp,
      @Nullable String reportTo) {
    return new AngariumProperties.Confirmation(
        destinations,
        null,
        null,
        receiptsFrom,
        null,
        new AngariumProperties.ReceiptsEndpoint(overHttp, "/receipts", null, true),
        reportTo);
  }

  private static List<String> warnings(
      AngariumProperties.Confirmation given, Class<?>... applications) {
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      for (Class<?> application : applications) {
        context.registerBean("angarium" + application.getSimpleName(), application);
      }
      context.refresh();
      return warnings(context, given);
    }
  }

  static class Nothing implements Confirmations {
    @Override
    public void confirm(Collection<MessageId> ids) {
      // none comes
    }

    @Override
    public Overdue settleOverdue() {
      return Overdue.NONE;
    }

    @Override
    public long unconfirmed() {
      return 0;
    }

    @Override
    public int forgetReceipts() {
      return 0;
    }
  }

  static final List<String> ORDERS = List.of("kafka:orders");

  @Test
  void destinationsWithoutReceiptsAreToldOf() {
    assertThat(warnings(given(ORDERS, null, false), Nothing.class, ReceiptIntake.class))
        .singleElement()
        .asString()
        .contains("[kafka:orders]", "angarium.confirmation.receipts-from");
  }

  @Test
  void destinationsWithReceiptsAreNotToldOf() {
    assertThat(warnings(given(ORDERS, "kafka:receipts", false), Nothing.class)).isEmpty();
    assertThat(warnings(given(ORDERS, null, true), Nothing.class)).isEmpty();
    assertThat(warnings(given(List.of(), null, false), Nothing.class)).isEmpty();
    assertThat(warnings(given(ORDERS, null, false))).as("without an outbox").isEmpty();
  }

  @Test
  void applicationThatIsGivenTheIntakeIsTakenToCallIt() {
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.registerBean("angariumConfirmations", Nothing.class);
      context.registerBean("angariumReceiptIntake", ReceiptIntake.class);
      context.registerBean("receiver", OfReceipts.class);
      context.refresh();

      assertThat(warnings(context, given(ORDERS, null, false))).isEmpty();
    }
  }

  private static List<String> warnings(
      AnnotationConfigApplicationContext context, AngariumProperties.Confirmation given) {
    PrintStream before = System.err;
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    System.setErr(new PrintStream(log, true, UTF_8));
    try {
      new ConfirmationWarnings(context.getBeanFactory(), given).afterSingletonsInstantiated();
    } finally {
      System.setErr(before);
    }
    return log.toString(UTF_8).lines().filter(line -> line.contains("WARN")).toList();
  }

  record OfReceipts(ReceiptIntake intake) {}

  @Test
  void receiptsThatNobodySendsAreToldOf() {
    AngariumProperties.Confirmation reporting = given(List.of(), null, false, "kafka:receipts");
    try (AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext()) {
      context.registerBean("angariumReceipts", Receipts.class, () -> Receipts.start(ids -> {}));
      context.refresh();
      assertThat(warnings(context, reporting))
          .singleElement()
          .asString()
          .contains("to kafka:receipts", "angarium.inbox.enabled");

      context.registerBean("angariumInbox", Inbox.class, InMemoryInbox::new);
      assertThat(warnings(context, reporting)).isEmpty();
    }
  }
}
