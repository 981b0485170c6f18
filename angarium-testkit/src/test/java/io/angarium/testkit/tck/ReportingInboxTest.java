package io.angarium.testkit.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.MessageId;
import io.angarium.confirmation.Receipts;
import io.angarium.confirmation.ReportingInbox;
import io.angarium.inbox.InboxKey;
import io.angarium.testkit.memory.InMemoryInbox;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReportingInboxTest {
  private static final MessageId ONE = MessageId.parse("01890000-0000-7000-8000-000000000001");
  private static final MessageId TWO = MessageId.parse("01890000-0000-7000-8000-000000000002");

  private final List<MessageId> reported = Collections.synchronizedList(new ArrayList<>());
  private final Receipts receipts = Receipts.start(reported::addAll);

  @Test
  void firstDeliveriesAndRepeatsAreReportedAndFailuresAreNot() throws Exception {
    ReportingInbox<?> inbox = new ReportingInbox<>(new InMemoryInbox(), receipts);
    InboxKey one = InboxKey.of("stock", ONE);
    InboxKey two = InboxKey.of("stock", TWO);

    assertThatThrownBy(
            () ->
                inbox.process(
                    one,
                    transaction -> {
                      throw new IOException("no");
                    }))
        .isInstanceOf(IOException.class);
    assertThat(inbox.process(two, transaction -> {})).isTrue();
    assertThat(inbox.processAll(List.of(one, two), (transaction, fresh) -> {}))
        .containsExactly(one);
    inbox.process(InboxKey.ofBusiness("stock", "order-paid", "1"), transaction -> {});

    receipts.close();
    assertThat(reported).containsExactly(TWO, ONE, TWO);
  }

  @Test
  void transactionOfTheCallerReportsWhenItHasCommitted() throws Exception {
    List<Runnable> atCommit = new ArrayList<>();
    ReportingInbox<?> inbox = new ReportingInbox<>(new InMemoryInbox(), receipts, atCommit::add);

    inbox.process(InboxKey.of("stock", ONE), transaction -> {});
    assertThat(atCommit).hasSize(1);
    inbox.process(InboxKey.of("stock", TWO), transaction -> {});
    atCommit.get(1).run();

    receipts.close();
    assertThat(reported).containsExactly(TWO);
  }
}
