package io.angarium.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.angarium.desk.ActBy;
import io.angarium.desk.MessageFilter;
import io.angarium.operation.Operation;
import io.angarium.operation.OperationDesk;
import io.angarium.operation.OperationDesk.Change;
import io.angarium.operation.OperationKind;
import io.angarium.operation.OperationPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;

final class OperationRetentionTest {
  private static final ActBy ANN = ActBy.of("ann", "of a test", ActBy.Via.API);

  private final DataSource dataSource = EmptyDatabase.h2InMemory();
  private final JdbcDatabase database = JdbcDatabase.open(dataSource, JdbcStoreFixture.CONFIG);
  private final OperationDesk desk = database.operationDesk();

  private UUID begun(int number) {
    UUID id = new UUID(7, number);
    desk.begin(OperationPlan.of(id, OperationKind.DISCARD, MessageFilter.ALL, Instant.EPOCH, ANN));
    EmptyDatabase.execute(
        dataSource,
        "INSERT INTO outbox_operation_refusal (operation_id, nr, message_id, reason)"
            + " VALUES ('%s', 0, '%s', 'of a test')".formatted(id, id));
    return id;
  }

  @Test
  void endedOperationsAreForgottenWithTheirRefusalsWhenTheyAreOld() {
    UUID old = begun(1);
    UUID late = begun(2);
    UUID open = begun(3);
    desk.change(old, Change.CANCEL, ANN);
    desk.change(late, Change.CANCEL, ANN);
    EmptyDatabase.execute(
        dataSource,
        "UPDATE outbox_operation SET ended_at = ended_at - INTERVAL '31' DAY,"
            + " created_at = created_at - INTERVAL '31' DAY,"
            + " start_at = start_at - INTERVAL '31' DAY WHERE operation_id = '%s'".formatted(old));

    assertThat(database.retention().forgetOperations(OperationDesk.KEPT)).isEqualTo(1);
    assertThat(database.retention().forgetOperations(OperationDesk.KEPT)).isZero();

    assertThat(desk.newest(10))
        .extracting(operation -> operation.plan().id())
        .containsExactlyInAnyOrder(late, open);
    assertThat(desk.refusals(old)).isEmpty();
    assertThat(desk.refusals(late)).hasSize(1);
    assertThat(desk.find(open).map(Operation::state)).hasValue(Operation.State.WAITING);
  }

  @Test
  void negativeAgeIsRefused() {
    Retention retention = database.retention();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> retention.forgetOperations(Duration.ofDays(-1)));
  }
}
