package io.angarium.kafka;

import io.angarium.intake.StoredMessage;
import io.angarium.internal.DurationText;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.util.OptionalLong;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.ClusterAuthorizationException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.InvalidTopicException;
import org.apache.kafka.common.errors.PolicyViolationException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.errors.SslAuthenticationException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.TransactionalIdAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.errors.UnsupportedCompressionTypeException;
import org.apache.kafka.common.errors.UnsupportedForMessageFormatException;
import org.apache.kafka.common.errors.UnsupportedVersionException;
import org.jspecify.annotations.Nullable;

/** Says what an error of the Kafka client means for a message, in words for a person. */
final class KafkaDiagnosis {
  private final String servers;
  private final String deliveryTimeout;
  private final String holdMax;
  private final String missingAfter;

  KafkaDiagnosis(KafkaConfig config) {
    this.servers = config.bootstrapServers();
    this.deliveryTimeout = DurationText.of(config.deliveryTimeout());
    this.holdMax = DurationText.of(config.holdMax());
    this.missingAfter = DurationText.of(config.missingAfter());
  }

  /** What an error of the producer means that is about the record, or about a record in flight. */
  SendResult of(StoredMessage message, Exception error) {
    Exception cause = cause(error);
    SendResult refused = refused(message, cause);
    if (refused != null) {
      return refused;
    }
    if (cause instanceof SslAuthenticationException) {
      String reason =
          "TLS with Kafka at %s failed: %s; its certificate must be of its host, and of one of those that are trusted (kafka.properties.ssl.truststore.*)";
      return new Unavailable(reason.formatted(servers, root(cause)), cause);
    }
    if (cause instanceof AuthenticationException) {
      return new Unavailable(
          "Kafka at " + servers + " rejects the credentials: " + says(cause), cause);
    }
    if (cause instanceof TimeoutException) {
      String reason = "Kafka at %s did not confirm a record for topic '%s' within %s (%s)";
      return new Unavailable(
          reason.formatted(servers, topic(message), deliveryTimeout, says(cause)), cause);
    }
    if (refusesTime(cause)) {
      String reason =
          "topic '%s' of Kafka at %s refuses the time of a record (%s); compare the clocks of this host, the database and the brokers";
      return new Unavailable(reason.formatted(topic(message), servers, says(cause)), cause);
    }
    if (isAboutTheDestination(cause)) {
      String reason = "Kafka at %s cannot take records for topic '%s' now: %s";
      return new Unavailable(reason.formatted(servers, topic(message), says(cause)), cause);
    }
    return new Failed("Kafka failed on this record or its batch: " + says(cause), cause);
  }

  private @Nullable SendResult refused(StoredMessage message, Exception cause) {
    if (cause instanceof RecordTooLargeException || cause instanceof RecordBatchTooLargeException) {
      return tooLarge(message, OptionalLong.empty(), cause);
    }
    if (cause instanceof InvalidTopicException) {
      return new Refused(KafkaTopic.invalid(topic(message)), cause);
    }
    if (cause instanceof AuthorizationException) {
      return notAuthorized(message, cause);
    }
    if (refusesTime(cause)) {
      return null;
    }
    if (cause instanceof SerializationException
        || cause instanceof InvalidRecordException
        || cause instanceof PolicyViolationException) {
      String reason =
          "topic '%s' does not take such a record: %s (a compacted topic needs a key); send it anew in another form";
      return new Refused(reason.formatted(topic(message), says(cause)), cause);
    }
    if (cause instanceof UnsupportedVersionException
        || cause instanceof UnsupportedForMessageFormatException
        || cause instanceof UnsupportedCompressionTypeException) {
      String reason =
          "Kafka at %s does not support it: %s; upgrade the brokers or change the settings, then requeue it";
      return new Refused(reason.formatted(servers, says(cause)), cause);
    }
    return null;
  }

  /**
   * The result for a record over a limit.
   *
   * @param topicMax the topic's max.message.bytes, if it could be asked for
   */
  Refused tooLarge(StoredMessage message, OptionalLong topicMax, Exception cause) {
    long bytes = RecordEncoding.bytes(message);
    if (topicMax.isPresent() && topicMax.getAsLong() < bytes) {
      String reason =
          "%d bytes > max.message.bytes %d of topic '%s'; raise max.message.bytes, then requeue it";
      return new Refused(reason.formatted(bytes, topicMax.getAsLong(), topic(message)), cause);
    }
    String reason =
        "%d bytes are too large for topic '%s': %s; raise the limit (max.message.bytes of the topic or max.request.size of this client), then requeue it";
    return new Refused(reason.formatted(bytes, topic(message), says(cause)), cause);
  }

  private Refused notAuthorized(StoredMessage message, Exception cause) {
    String missing = "WRITE and DESCRIBE on topic '" + topic(message) + "'";
    if (cause instanceof TopicAuthorizationException) {
      return new Refused(
          "this client must not write to topic '%s'; grant it %s, then requeue it"
              .formatted(topic(message), missing),
          cause);
    }
    return new Refused(
        "this client is not authorized by Kafka at %s (%s); grant it %s, then requeue it"
            .formatted(servers, says(cause), missing),
        cause);
  }

  /**
   * The result for messages that were held back too long, or whose topic can never be written to.
   *
   * @param cause why the producer did not take them, or null if there was no producer yet
   * @param away true if the topic was there and may come back
   */
  SendResult held(StoredMessage message, @Nullable Exception cause, boolean away) {
    Exception root = cause == null ? null : cause(cause);
    if (root instanceof UnknownTopicOrPartitionException && away) {
      String reason =
          "topic '%s' was there and is gone on Kafka at %s; create it again, or its messages are refused when it has been missing for %s (missing-after)";
      return new Unavailable(reason.formatted(topic(message), servers, missingAfter), root);
    }
    if (root instanceof UnknownTopicOrPartitionException) {
      String reason =
          "topic '%s' does not exist on Kafka at %s (looked for %s); create it, then requeue it";
      return new Refused(reason.formatted(topic(message), servers, holdMax), root);
    }
    if (root instanceof BufferExhaustedException) {
      return new Unavailable(
          "the buffer for Kafka at " + servers + " stayed full for " + holdMax, root);
    }
    if (root == null || root.getClass() == TimeoutException.class) {
      String reason = "no broker of Kafka at %s answered for %s";
      return new Unavailable(reason.formatted(servers, holdMax), root);
    }
    return of(message, root);
  }

  /** Whether waiting for the topic may help, after an error on the thread that hands over. */
  static boolean mayPass(Exception notAppended) {
    Exception cause = cause(notAppended);
    return notAppended instanceof TimeoutException
        && (cause instanceof TimeoutException || cause instanceof RetriableException);
  }

  /** Whether a broker answered that it has no such topic. */
  static boolean isMissingTopic(@Nullable Exception notAppended) {
    return notAppended != null && cause(notAppended) instanceof UnknownTopicOrPartitionException;
  }

  /**
   * Whether the time of a record is too far from the broker's clock. Of a batch with several such
   * records the client tells only the text.
   */
  static boolean refusesTime(Exception error) {
    String message = error.getMessage();
    return error instanceof InvalidTimestampException
        || (error instanceof InvalidRecordException
            && message != null
            && message.startsWith("Timestamp "));
  }

  /** Whether no broker has answered, which says nothing of the topic. */
  static boolean isSilence(@Nullable Exception notAppended) {
    return notAppended != null && cause(notAppended).getClass() == TimeoutException.class;
  }

  /** Whether the producer is of no use any more, although the message was refused. */
  static boolean endsProducer(Exception error) {
    Exception cause = cause(error);
    return cause instanceof ClusterAuthorizationException
        || cause instanceof TransactionalIdAuthorizationException
        || cause instanceof UnsupportedVersionException;
  }

  private static boolean isAboutTheDestination(Exception cause) {
    return (cause instanceof RetriableException && !(cause instanceof CorruptRecordException))
        || cause instanceof InterruptException
        || cause instanceof ProducerFencedException
        || cause instanceof InvalidProducerEpochException;
  }

  /** What stands behind the general exceptions that the client wraps others in. */
  private static Exception cause(Exception error) {
    boolean general =
        error.getClass() == KafkaException.class || error.getClass() == TimeoutException.class;
    return general && error.getCause() instanceof KafkaException inner ? inner : error;
  }

  private static String topic(StoredMessage message) {
    return message.message().destination().address();
  }

  /** What the JDK says, which the client wraps. */
  private static String root(Throwable error) {
    Throwable root = error;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    return String.valueOf(root.getMessage());
  }

  private static String says(Exception error) {
    String kind = error.getClass().getSimpleName().replaceFirst("Exception$", "");
    return error.getMessage() == null ? kind : kind + ": " + error.getMessage();
  }
}
