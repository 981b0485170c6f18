package io.angarium.confirmation;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.MessageId;
import io.angarium.StoreException;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class ReceiptReadingTest {
  private static final MessageId ID = new MessageId(new UUID(0x7000L, 1));

  private final BlockingQueue<String> steps = new LinkedBlockingQueue<>();
  private final AtomicInteger outages = new AtomicInteger(1);
  private final ReceiptIntake intake = new ReceiptIntake(new Database());

  /** Cannot be opened at first, breaks once, and has a receipt that is not taken at first. */
  private final class Source implements ReceiptSource {
    private int opened;

    @Override
    public Session open() throws IOException {
      opened++;
      steps.add("open " + opened);
      if (opened == 1) {
        throw new IOException("planned");
      }
      return new Once(opened);
    }
  }

  private final class Once implements ReceiptSource.Session {
    private final int number;
    private boolean read;

    Once(int number) {
      this.number = number;
    }

    @Override
    public boolean read() throws IOException {
      if (number == 2) {
        throw new IOException("lost");
      }
      read = read || intake.taken("a source", List.of(ReceiptText.encode(List.of(ID))));
      return false;
    }

    @Override
    public void close() {
      steps.add("close " + number);
    }
  }

  private final class Database implements Confirmations {
    @Override
    public void confirm(Collection<MessageId> ids) {
      if (outages.getAndDecrement() > 0) {
        steps.add("away");
        throw new StoreException("planned", null);
      }
      steps.add("noted " + ids);
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

  @Test
  void linesThatAreNoReceiptsCostTheOthersNothing() {
    outages.set(0);
    String text = ID + "\n0000-cut\n\n" + new MessageId(new UUID(0x7000L, 2));

    intake.accept(text.getBytes(US_ASCII));

    assertThat(steps)
        .containsExactly("noted [" + ID + ", " + new MessageId(new UUID(0x7000L, 2)) + "]");
  }

  @Test
  void connectsAnewAfterFailuresAndReadsAgainWhatWasNotTaken() throws Exception {
    try (ReceiptReading reading = ReceiptReading.start("test", "a source", new Source())) {
      assertThat(reading).isNotNull();
      for (String step :
          List.of("open 1", "open 2", "close 2", "open 3", "away", "noted [" + ID + "]")) {
        assertThat(steps.poll(60, TimeUnit.SECONDS)).isEqualTo(step);
      }
    }

    assertThat(steps).containsExactly("close 3");
  }
}
