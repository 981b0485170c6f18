package io.angarium.relay.internal.flight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.Message;
import io.angarium.MessageId;
import io.angarium.intake.Position;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class ResultQueueTest {
  private final ResultQueue results = new ResultQueue();
  private final List<Long> taken = new ArrayList<>();

  @Test
  void givesEveryResultOnceInTheOrderItCame() {
    arrive(1, 2);
    assertThat(results.drain(this::take)).isEqualTo(2);
    arrive(3);
    assertThat(results.isEmpty()).isFalse();
    assertThat(results.drain(this::take)).isEqualTo(1);
    assertThat(results.drain(this::take)).isZero();
    assertThat(results.isEmpty()).isTrue();
    assertThat(taken).containsExactly(1L, 2L, 3L);
  }

  @Test
  void whatArrivesWhileTheyAreTakenComesNextTime() {
    arrive(1);
    results.drain(
        result -> {
          take(result);
          arrive(2);
        });
    assertThat(taken).containsExactly(1L);
    results.drain(this::take);
    assertThat(taken).containsExactly(1L, 2L);
  }

  @Test
  void aFailureCostsNoOtherResult() {
    arrive(1, 2, 3);
    assertThatThrownBy(
            () ->
                results.drain(
                    result -> {
                      arrive(4);
                      throw new OutOfMemoryError("planted");
                    }))
        .isInstanceOf(OutOfMemoryError.class);
    results.drain(this::take);
    assertThat(taken).containsExactly(2L, 3L, 4L);
  }

  private void take(ResultQueue.Result result) {
    taken.add(result.row().position().sequence());
  }

  private void arrive(long... sequences) {
    for (long sequence : sequences) {
      Message message = Message.of("kafka:orders", new byte[0]);
      StoredMessage row =
          new StoredMessage(
              new Position(1, sequence),
              new MessageId(new UUID(1, sequence)),
              message,
              0,
              Instant.EPOCH);
      results.add(row, SendResult.ACKNOWLEDGED);
    }
  }
}
