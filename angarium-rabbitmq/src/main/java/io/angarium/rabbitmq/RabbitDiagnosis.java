package io.angarium.rabbitmq;

import com.rabbitmq.client.AMQP;
import com.rabbitmq.client.AuthenticationFailureException;
import com.rabbitmq.client.Method;
import com.rabbitmq.client.PossibleAuthenticationFailureException;
import com.rabbitmq.client.ShutdownSignalException;
import io.angarium.internal.DurationText;
import io.angarium.rabbitmq.internal.ShortString;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Says what an event at RabbitMQ means for a message, in words for a person. */
final class RabbitDiagnosis {
  static final int ACCESS_REFUSED = 403;
  static final int NOT_FOUND = 404;
  static final int PRECONDITION_FAILED = 406;

  private final RabbitConfig config;

  RabbitDiagnosis(RabbitConfig config) {
    this.config = config;
  }

  private String broker() {
    return "RabbitMQ at " + config.addresses();
  }

  // ---- about one message

  SendResult unroutable(RabbitAttempt attempt, Link.Return reason) {
    String text =
        "%s has no queue for exchange '%s' and routing key '%s' (%d %s); bind one, then requeue"
            + " it%s";
    return new Refused(
        text.formatted(
            broker(),
            attempt.address.exchange(),
            attempt.address.routingKey(),
            reason.code(),
            reason.text(),
            perhapsStored(attempt)),
        null);
  }

  SendResult nacked(RabbitAttempt attempt) {
    String text =
        "%s did not take a message for exchange '%s' and routing key '%s': a queue is full"
            + " (x-overflow reject-publish) or has failed; other queues it is routed to may have it";
    return new Failed(
        text.formatted(broker(), attempt.address.exchange(), attempt.address.routingKey()), null);
  }

  SendResult unconfirmed(RabbitAttempt attempt) {
    String text =
        "%s did not confirm a message for exchange '%s' and routing key '%s' within %s; perhaps"
            + " stored";
    return new Unavailable(
        text.formatted(
            broker(),
            attempt.address.exchange(),
            attempt.address.routingKey(),
            DurationText.of(config.confirmTimeout())),
        null);
  }

  /** Else it would be sent for ever, and hold up all others each time. */
  SendResult writtenTooSlowly(RabbitAttempt attempt, Duration within) {
    String text =
        "%d bytes for exchange '%s' could not be written to %s within %s; raise"
            + " rabbitmq.confirm-timeout, or send less";
    return new Failed(
        text.formatted(
            attempt.payloadBytes(), attempt.address.exchange(), broker(), DurationText.of(within)),
        null);
  }

  SendResult missingExchange(RabbitAttempt attempt) {
    String text =
        "exchange '%s' does not exist on %s, virtual host '%s' (looked for %s for destination"
            + " '%s'); declare it, then requeue it (to send to a queue write /%s)%s";
    return new Refused(
        text.formatted(
            attempt.address.exchange(),
            broker(),
            config.virtualHost(),
            DurationText.of(config.holdMax()),
            attempt.address,
            attempt.address.exchange(),
            perhapsStored(attempt)),
        null);
  }

  /**
   * Returns a note for a message that was sent twice, else an empty text. The outcome of the second
   * attempt says nothing about the first.
   */
  private static String perhapsStored(RabbitAttempt attempt) {
    return attempt.perhapsStored
        ? "; perhaps stored all the same, as its channel was closed once before it was confirmed"
        : "";
  }

  /** The broker closed a channel for this message, which was alone on it. */
  SendResult closedFor(RabbitAttempt attempt, Throwable cause) {
    String says = says(cause);
    return switch (code(cause)) {
      case ACCESS_REFUSED ->
          new Refused(
              "user '%s' must not write to exchange '%s' of %s (%s); grant it write, then requeue it%s"
                  .formatted(
                      config.username(),
                      attempt.address.exchange(),
                      broker(),
                      says,
                      perhapsStored(attempt)),
              cause);
      case PRECONDITION_FAILED ->
          new Refused(
              "%s refused %d bytes for exchange '%s' (%s); raise max_message_size of the broker, then requeue it"
                  .formatted(broker(), attempt.payloadBytes(), attempt.address.exchange(), says),
              cause);
      default ->
          new Failed(
              "%s closed the channel of a message for exchange '%s' (%s)"
                  .formatted(broker(), attempt.address.exchange(), says),
              cause);
    };
  }

  SendResult notEncoded(RabbitAttempt attempt, RuntimeException cause) {
    return new Refused(
        "a message for exchange '%s' cannot be written as AMQP (%s); send it anew in another form"
            .formatted(attempt.address.exchange(), cause.getMessage()),
        cause);
  }

  static SendResult longHeaderName(String name) {
    return new Refused(
        "header name '%s...' is longer than the %d bytes of AMQP; send it anew with a shorter one"
            .formatted(name.substring(0, 60), ShortString.BYTES_MAX),
        null);
  }

  static SendResult reservedHeader(String name) {
    return new Refused(
        "header '%s' has a meaning of its own in RabbitMQ; send it anew under another name"
            .formatted(name),
        null);
  }

  static SendResult largeHeaders(int bytes) {
    return new Refused(
        "headers of %d bytes are larger than the %d that RabbitMQ takes (frame_max); send it anew with less"
            .formatted(bytes, PropertyEncoding.HEADERS_BYTES_MAX),
        null);
  }

  // ---- about the broker

  SendResult blocked(String reason) {
    return new Unavailable(
        broker() + " takes no messages at present (connection blocked: " + reason + ")", null);
  }

  SendResult lost(@Nullable Throwable cause) {
    String says = cause == null ? "without a word" : says(cause);
    return new Unavailable(
        "the connection to " + broker() + " was lost (" + says + "); perhaps stored", cause);
  }

  SendResult waitedTooLong(@Nullable SendResult down) {
    if (down != null) {
      return down;
    }
    String text = "%s was too slow: a message waited %s to be sent";
    return new Unavailable(text.formatted(broker(), DurationText.of(config.holdMax())), null);
  }

  SendResult notConnected(Exception error) {
    return new Unavailable(notConnectedBecause(error), error);
  }

  private String notConnectedBecause(Exception error) {
    if (error instanceof AuthenticationFailureException
        || error instanceof PossibleAuthenticationFailureException) {
      return "%s rejects the credentials of user '%s' for virtual host '%s': %s"
          .formatted(broker(), config.username(), config.virtualHost(), says(error));
    } else if (error instanceof UnknownHostException) {
      return "the host of " + broker() + " is unknown: " + error.getMessage();
    } else if (error instanceof TimeoutException) {
      return "%s did not answer within %s"
          .formatted(broker(), DurationText.of(config.connectTimeout()));
    }
    if (error instanceof SSLException) {
      return "TLS with %s failed: %s; its certificate must be of its host, and of one of those that are trusted (rabbitmq.trusted-certificates)"
          .formatted(broker(), says(error));
    }
    return broker() + " cannot be reached: " + says(error);
  }

  /** The code that the broker gave for the end of a channel or connection; 0 if it gave none. */
  static int code(Throwable error) {
    Method reason = reason(error);
    if (reason instanceof AMQP.Channel.Close close) {
      return close.getReplyCode();
    }
    return reason instanceof AMQP.Connection.Close close ? close.getReplyCode() : 0;
  }

  private static String says(Throwable error) {
    Method reason = reason(error);
    if (reason instanceof AMQP.Channel.Close close) {
      return close.getReplyText();
    } else if (reason instanceof AMQP.Connection.Close close) {
      return close.getReplyText();
    }
    Throwable cause = error;
    while (cause.getMessage() == null && cause.getCause() != null) {
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    return message == null ? cause.getClass().getSimpleName() : message;
  }

  private static @Nullable Method reason(Throwable error) {
    for (Throwable at = error; at != null; at = at.getCause()) {
      if (at instanceof ShutdownSignalException signal) {
        return signal.getReason();
      }
    }
    return null;
  }
}
