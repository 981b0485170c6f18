package io.angarium.rocketmq;

import io.angarium.internal.DurationText;
import io.angarium.rocketmq.QueueLane.Batch;
import io.angarium.rocketmq.RocketConfig.Acknowledge;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.util.List;
import org.apache.rocketmq.client.exception.MQBrokerException;
import org.apache.rocketmq.client.exception.MQClientException;
import org.apache.rocketmq.client.producer.SendStatus;
import org.apache.rocketmq.common.message.MessageQueue;
import org.apache.rocketmq.remoting.exception.RemotingSendRequestException;
import org.apache.rocketmq.remoting.exception.RemotingTimeoutException;
import org.apache.rocketmq.remoting.protocol.ResponseCode;
import org.jspecify.annotations.Nullable;

/** Says what an answer of RocketMQ, or none, means for a message, in words for a person. */
final class RocketDiagnosis {
  /**
   * What brokers say with {@code SYSTEM_ERROR} when it is them and not the message; the code alone
   * does not tell. The last is of older brokers; 5.5.0 says it with {@code SYSTEM_BUSY}.
   */
  private static final List<String> BROKER_IN_TROUBLE =
      List.of(
          "in-sync replicas not enough",
          "create mapped file failed",
          "[PC_SYNCHRONIZED]broker busy");

  private final RocketConfig config;

  RocketDiagnosis(RocketConfig config) {
    this.config = config;
  }

  private String cluster() {
    return "RocketMQ at " + config.nameServers();
  }

  // ---- about one message

  /** A message that no request carried yet, or null if it can be sent. */
  @Nullable SendResult impossible(io.angarium.Message message, @Nullable String part) {
    if (part != null) {
      return new Refused(
          part
              + " has the character U+0001 or U+0002, which RocketMQ cannot carry; send it anew"
              + " without it",
          null);
    }
    int bytes = message.payload().length;
    if (bytes > config.messageBytesMax()) {
      String text =
          "%d bytes > %d that the brokers take; raise maxMessageSize there and the setting message-max here, then requeue it";
      return new Refused(text.formatted(bytes, config.messageBytesMax()), null);
    }
    return null;
  }

  static SendResult propertiesTooLarge(int bytes) {
    return new Refused(
        "key, type and headers take %d bytes > %d that RocketMQ can carry; send it anew with less"
            .formatted(bytes, MessageEncoding.PROPERTIES_BYTES_MAX),
        null);
  }

  SendResult missingTopic(RocketAttempt attempt) {
    String text =
        "topic '%s' of destination '%s' does not exist on %s (looked for %s); create it (mqadmin updateTopic), then requeue it";
    return new Refused(
        text.formatted(
            attempt.address.topic(),
            attempt.message.message().destination().address(),
            cluster(),
            DurationText.of(config.missingAfter())),
        null);
  }

  /** What an answer of the broker means that stored the messages: Acknowledged or Unavailable. */
  SendResult stored(SendStatus status, QueueLane lane) {
    if (status == SendStatus.SEND_OK || config.acknowledge() == Acknowledge.WHEN_STORED) {
      return SendResult.ACKNOWLEDGED;
    }
    String text =
        "broker '%s' has stored messages for topic '%s', but not as safely as it is set up to (%s): its disk or its replicas are behind or away";
    return new Unavailable(
        text.formatted(lane.queue.getBrokerName(), lane.queue.getTopic(), status), null);
  }

  /** What an error means for the messages of a request. */
  SendResult of(Throwable error, Batch batch) {
    Throwable cause = cause(error);
    String topic = batch.lane().queue.getTopic();
    String broker = batch.lane().queue.getBrokerName();
    return switch (code(cause)) {
      case ResponseCode.MESSAGE_ILLEGAL ->
          new Refused(
              "broker '%s' refused %d message(s) of %d bytes for topic '%s': %s; make it smaller or raise maxMessageSize of the brokers, then requeue it"
                  .formatted(broker, batch.attempts().size(), batch.bytes(), topic, says(cause)),
              cause);
      case ResponseCode.NO_PERMISSION,
          ResponseCode.TOPIC_NOT_EXIST,
          ResponseCode.SERVICE_NOT_AVAILABLE,
          ResponseCode.SYSTEM_BUSY,
          ResponseCode.FLOW_CONTROL,
          ResponseCode.GO_AWAY ->
          takesNone(cause, topic, broker);
      default -> byKind(cause, batch);
    };
  }

  private static SendResult takesNone(Throwable cause, String topic, String broker) {
    return new Unavailable(
        "broker '%s' takes no messages for topic '%s' at present: %s"
            .formatted(broker, topic, says(cause)),
        cause);
  }

  private static boolean isBrokerInTrouble(Throwable cause) {
    String says = code(cause) == ResponseCode.SYSTEM_ERROR ? says(cause) : null;
    return says != null && BROKER_IN_TROUBLE.stream().anyMatch(says::startsWith);
  }

  private SendResult byKind(Throwable cause, Batch batch) {
    String topic = batch.lane().queue.getTopic();
    String broker = batch.lane().queue.getBrokerName();
    if (isBrokerInTrouble(cause)) {
      return takesNone(cause, topic, broker);
    } else if (cause instanceof MQBrokerException) {
      return new Failed(
          "broker '%s' failed on messages for topic '%s': %s".formatted(broker, topic, says(cause)),
          cause);
    } else if (cause instanceof RemotingTimeoutException) {
      return noAnswer(batch, cause);
    }
    return new Unavailable(
        "broker '%s' cannot be reached for topic '%s' (%s); perhaps stored"
            .formatted(broker, topic, says(cause)),
        cause);
  }

  Unavailable noAnswer(Batch batch, @Nullable Throwable cause) {
    String text =
        "broker '%s' did not answer for topic '%s' within %s to a request of %d bytes; perhaps stored; if smaller ones are answered, raise send-timeout";
    MessageQueue queue = batch.lane().queue;
    return new Unavailable(
        text.formatted(
            queue.getBrokerName(),
            queue.getTopic(),
            DurationText.of(config.sendTimeout()),
            batch.bytes()),
        cause);
  }

  /** For a message that would be one more copy at a broker. */
  static SendResult resting(String reason) {
    return new Unavailable(
        reason + "; it is tried with one message now and then, so that there are few copies", null);
  }

  static SendResult behindFailed(RocketAttempt attempt) {
    return new Unavailable(
        "an earlier message of its key, " + attempt.message.id() + ", has just failed", null);
  }

  static SendResult behindFailed(QueueLane lane) {
    return new Unavailable(
        "an earlier message for queue %d of topic '%s' has just failed"
            .formatted(lane.queue.getQueueId(), lane.queue.getTopic()),
        null);
  }

  static SendResult behindFailed(RocketTopic topic) {
    return new Unavailable(
        "an earlier message for topic '" + topic.name + "' has just failed", null);
  }

  SendResult waitedTooLong(QueueLane lane) {
    String text = "broker '%s' was too slow: a message waited %s to be sent";
    return new Unavailable(
        text.formatted(lane.queue.getBrokerName(), DurationText.of(config.holdMax())), null);
  }

  SendResult notLookedUp(RocketTopic topic, @Nullable Throwable error) {
    String says = error == null ? "no answer yet" : says(cause(error));
    String text = "the queues of topic '%s' cannot be had from %s (%s)%s";
    return new Unavailable(text.formatted(topic.name, cluster(), says, tls()), error);
  }

  /** The client tells only its log that the connection failed in TLS. */
  private String tls() {
    return config.tls()
        ? "; if it speaks TLS, its certificate must be of one of those that are trusted (-Dtls.client.trustCertPath), and the client's log tells more"
        : "";
  }

  SendResult nowhere(RocketTopic topic) {
    return new Unavailable(
        "no broker of %s has topic '%s' at present".formatted(cluster(), topic.name), null);
  }

  // ---- errors of the client

  /** True if a broker has the request, perhaps, and says nothing. */
  static boolean isNoAnswer(Throwable error) {
    return cause(error) instanceof RemotingTimeoutException;
  }

  /**
   * True if the connection ended under a request, which the broker has, perhaps. The client ends it
   * itself when there is no answer in time.
   */
  static boolean isCutOff(Throwable error) {
    return cause(error) instanceof RemotingSendRequestException;
  }

  /** True if a broker answered that it has not stored the request. */
  static boolean isAnswer(Throwable error) {
    return cause(error) instanceof MQBrokerException;
  }

  /** True if the name servers answered that there is no such topic. */
  static boolean isMissingTopic(Throwable error) {
    return code(cause(error)) == ResponseCode.TOPIC_NOT_EXIST;
  }

  /** True if a broker answered that it has no such topic. */
  static boolean isDenied(Throwable error) {
    return cause(error) instanceof MQBrokerException && isMissingTopic(error);
  }

  private static Throwable cause(Throwable error) {
    Throwable cause = error;
    while (cause.getCause() != null && !(cause instanceof MQBrokerException)) {
      cause = cause.getCause();
    }
    return cause;
  }

  private static int code(Throwable error) {
    if (error instanceof MQBrokerException broker) {
      return broker.getResponseCode();
    }
    return error instanceof MQClientException client ? client.getResponseCode() : -1;
  }

  private static String says(Throwable error) {
    if (error instanceof MQBrokerException broker) {
      return broker.getErrorMessage();
    }
    String message = error.getMessage();
    return message == null ? error.getClass().getSimpleName() : message;
  }
}
