package io.angarium.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.Message;
import io.angarium.intake.StoredMessage;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.KafkaStorageException;
import org.apache.kafka.common.errors.LeaderNotAvailableException;
import org.apache.kafka.common.errors.NetworkException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.SaslAuthenticationException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownServerException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class KafkaDiagnosisTest {
  private final KafkaDiagnosis diagnosis = new KafkaDiagnosis(KafkaConfig.of("kafka1:9092"));
  private final StoredMessage message = Messages.of(Message.of("orders", new byte[1_000]).key("k"));

  static Stream<Arguments> errors() {
    return Stream.of(
        Arguments.of(new RecordTooLargeException("big"), Refused.class),
        Arguments.of(new InvalidTopicException("bad"), Refused.class),
        Arguments.of(new TopicAuthorizationException("orders"), Refused.class),
        Arguments.of(new ClusterAuthorizationException("no"), Refused.class),
        Arguments.of(new TransactionalIdAuthorizationException("no"), Refused.class),
        Arguments.of(new SerializationException("no"), Refused.class),
        Arguments.of(new InvalidRecordException("no"), Refused.class),
        Arguments.of(new PolicyViolationException("no"), Refused.class),
        Arguments.of(new UnsupportedVersionException("old"), Refused.class),
        Arguments.of(
            new KafkaException("error state", new ClusterAuthorizationException("no")),
            Refused.class),
        Arguments.of(
            new TimeoutException("late", new TopicAuthorizationException("orders")), Refused.class),
        Arguments.of(new TimeoutException("expired"), Unavailable.class),
        Arguments.of(new NetworkException("gone"), Unavailable.class),
        Arguments.of(new NotEnoughReplicasException("1 < 2"), Unavailable.class),
        Arguments.of(new LeaderNotAvailableException("none"), Unavailable.class),
        Arguments.of(new UnknownTopicOrPartitionException("deleted"), Unavailable.class),
        Arguments.of(new KafkaStorageException("disk"), Unavailable.class),
        Arguments.of(new SaslAuthenticationException("password"), Unavailable.class),
        Arguments.of(new ProducerFencedException("fenced"), Unavailable.class),
        Arguments.of(new CorruptRecordException("crc"), Failed.class),
        Arguments.of(new OutOfOrderSequenceException("gap"), Failed.class),
        Arguments.of(new UnknownServerException("bug"), Failed.class),
        Arguments.of(new KafkaException("part of a batch"), Failed.class),
        Arguments.of(new IllegalArgumentException("bug"), Failed.class));
  }

  @ParameterizedTest
  @MethodSource("errors")
  void eachErrorHasItsClass(Exception error, Class<? extends SendResult> expected) {
    assertThat(diagnosis.of(message, error)).isInstanceOf(expected);
  }

  @Test
  void aTopicStillUnknownIsRefusedWithWhatToDo() {
    Exception cause =
        new TimeoutException("not present", new UnknownTopicOrPartitionException("unknown"));

    SendResult result = diagnosis.held(message, cause, false);

    assertThat(((Refused) result).reason())
        .isEqualTo(
            "topic 'orders' does not exist on Kafka at kafka1:9092 (looked for 2s);"
                + " create it, then requeue it");
  }

  @Test
  void aTopicThatWasThereIsAwayForAWhile() {
    Exception cause =
        new TimeoutException("not present", new UnknownTopicOrPartitionException("unknown"));

    SendResult result = diagnosis.held(message, cause, true);

    assertThat(((Unavailable) result).reason())
        .isEqualTo(
            "topic 'orders' was there and is gone on Kafka at kafka1:9092; create it again, or its"
                + " messages are refused when it has been missing for 2m (missing-after)");
  }

  @Test
  void silenceAFullBufferAndATopicWithoutLeaderAreUnavailable() {
    assertThat(diagnosis.held(message, null, false)).isInstanceOf(Unavailable.class);
    assertThat(diagnosis.held(message, new TimeoutException("x"), false))
        .isInstanceOf(Unavailable.class);
    assertThat(diagnosis.held(message, new BufferExhaustedException("full"), false))
        .isInstanceOf(Unavailable.class);
    assertThat(
            diagnosis.held(
                message, new TimeoutException("x", new LeaderNotAvailableException("none")), false))
        .isInstanceOf(Unavailable.class);
  }

  @Test
  void aRecordOverTheTopicsLimitIsRefusedWithBothNumbers() {
    Refused refused =
        diagnosis.tooLarge(message, OptionalLong.of(500), new RecordTooLargeException("big"));

    assertThat(refused.reason())
        .matches(
            "1\\d\\d\\d bytes > max.message.bytes 500 of topic 'orders';"
                + " raise max.message.bytes, then requeue it");
  }

  @Test
  void aTopicsLimitThatIsNotExceededIsNotBlamed() {
    Refused refused =
        diagnosis.tooLarge(message, OptionalLong.of(5_000), new RecordTooLargeException("big"));

    assertThat(refused.reason()).contains("too large", "big").doesNotContain("5000");
  }
}
