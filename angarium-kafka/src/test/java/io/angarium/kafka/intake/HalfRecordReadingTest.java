package io.angarium.kafka.intake;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.InvalidMessageException;
import io.angarium.kafka.intake.HalfIntakeConfig.Records;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which records are half messages, and which only look like it. */
final class HalfRecordReadingTest {
  private static final String JSON =
      "{\"bizID\":1,\"messageKey\":\"k\",\"messageStatus\":1,\"message\":\"m\",\"forwardTopic\":\"t\"}";

  private final HalfRecordReading reading = new HalfRecordReading("kafka");

  private static ConsumerRecord<byte[], byte[]> record(String... headers) {
    ConsumerRecord<byte[], byte[]> record =
        new ConsumerRecord<>("calls", 0, 0, null, JSON.getBytes(UTF_8));
    for (String header : headers) {
      record.headers().add(header, "PT1H".getBytes(UTF_8));
    }
    return record;
  }

  /** Its delay, say, would be lost, or all of it passed over. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "angarium-delay",
        "Angarium-Delay",
        "angarium-dealy",
        "angarium-half-stpe",
        "angarium-half-business",
        "angarium-destination",
        "angarium-check-back",
      })
  void headerOfACallWithoutItsMarkIsAFault(String header) {
    for (Records which : Records.values()) {
      assertThatThrownBy(() -> reading.read(record(header), which))
          .as(which.name())
          .isInstanceOf(InvalidMessageException.class)
          .hasMessageContaining("angarium-");
    }
  }

  @Test
  void jsonMayHaveTheHeadersOfAnOutboxAndOfDeadLetters() {
    String[] headers = {
      "angarium-id",
      "angarium-type",
      "angarium-business-type",
      "angarium-business-key",
      "angarium-intake-reason",
      "angarium-intake-origin",
      "angarium-ext-route",
      "traceparent",
    };

    assertThat(reading.read(record(headers), Records.ALL)).isPresent();
    assertThat(reading.read(record(headers), Records.MARKED)).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(Records.class)
  void othersRecordsArePassedOverWhereMarksAreAskedFor(Records which) {
    assertThat(reading.read(record("content-type"), which).isPresent())
        .isEqualTo(which != Records.MARKED);
  }
}
