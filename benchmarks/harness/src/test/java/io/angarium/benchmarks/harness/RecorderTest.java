package io.angarium.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.benchmarks.harness.ReceiverTest.FakeTopic;
import java.io.OutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RecorderTest {
  private static final Section SECTION = new Section("drain", "PostgreSQL");

  private final Results results = new Results();
  private final Progress quiet = new Progress(new PrintStream(OutputStream.nullOutputStream()));
  private final Recorder recorder = new Recorder(results, SECTION, quiet);
  private final Receiver received = new Receiver(() -> new FakeTopic(0));

  @BeforeEach
  void begin() {
    results.begin(SECTION, new Run("now", "here"));
  }

  @Test
  void whatOursBrokeFailsTheRunButForDuplicates() {
    arrive(2, 1, 0, 2);

    note(Contestant.ANGARIUM, Faults.of(2, received));
    note(Contestant.HTTP_HALF, Faults.of(4, received));

    assertThat(results.failures(SECTION))
        .containsExactly(
            "angarium: out of order 2",
            "angarium: never committed 1",
            "angarium-http: lost 1",
            "angarium-http: out of order 2");
  }

  @Test
  void aDuplicateFailsTheRunOnlyIfNoAttemptFailedThatExplainsIt() {
    arrive(0, 1, 2, 1, 2);

    note(Contestant.ANGARIUM, Faults.of(3, received).after(2));
    assertThat(results.failures(SECTION)).isEmpty();

    note(Contestant.ANGARIUM, Faults.of(3, received).after(1));
    assertThat(results.failures(SECTION))
        .containsExactly("angarium: duplicates without a failed attempt 1");
    assertThat(results.all())
        .filteredOn(m -> m.metric().equals("attempts not acknowledged"))
        .extracting(Measurement::value)
        .containsExactly(2.0, 1.0);
  }

  @Test
  void whatIsLostIsNotMadeUpForByWhatWasNeverCommitted() {
    arrive(0, 3);

    note(Contestant.ANGARIUM, Faults.of(2, received));

    assertThat(results.failures(SECTION))
        .containsExactly("angarium: lost 1", "angarium: never committed 1");
  }

  @Test
  void oursMustBeDoneInTimeAndLeaveNothing() {
    arrive(0);

    note(Contestant.ANGARIUM, Faults.of(3, received).unlessUnderWay());
    recorder.round(Contestant.ANGARIUM, "", 1).addLeft(4).done();
    recorder.round(Contestant.RAW, "", 1).addLeft(5).done();

    assertThat(results.failures(SECTION))
        .containsExactly("angarium: not sent in time 2", "angarium: rows left 4");
    assertThat(results.all())
        .filteredOn(m -> m.metric().equals("rows left"))
        .extracting(Measurement::value)
        .containsExactly(4.0, 5.0);
  }

  @Test
  void faultsAreInTheTable() {
    arrive(2, 1, 0, 2);

    note(Contestant.ANGARIUM, Faults.of(2, received));

    assertThat(results.all())
        .extracting(m -> m.metric() + " " + m.value())
        .containsExactly("lost 0.0", "duplicates 1.0", "out of order 2.0", "never committed 1.0");
  }

  @Test
  void anotherArmIsOnlyFailedByWhatItLost() {
    arrive(1, 0); // late, and one that nobody committed

    note(Contestant.NAMASTACK, Faults.of(1, received));
    note(Contestant.RAW, Faults.of(5, received).unlessUnderWay());
    assertThat(results.failures(SECTION)).isEmpty();

    note(Contestant.GRUELBOX, Faults.of(3, received));
    assertThat(results.failures(SECTION)).containsExactly("gruelbox-tuned: lost 1");
  }

  private void note(Contestant arm, Faults faults) {
    recorder.round(arm, "", 1).addFaults(faults).done();
  }

  private void arrive(long... numbers) {
    for (long number : numbers) {
      received.note("key", ReceiverTest.payload(number), 1);
    }
  }
}
