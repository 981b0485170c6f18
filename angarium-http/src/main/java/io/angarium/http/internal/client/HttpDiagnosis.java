package io.angarium.http.internal.client;

import io.angarium.half.internal.remote.PrintableExcerpt;
import io.angarium.http.internal.client.Ending.Answer;
import io.angarium.http.internal.client.Ending.Silence;
import io.angarium.http.internal.url.WebUrl;
import io.angarium.internal.DurationText;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Failed;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.UnknownHostException;
import java.net.http.HttpConnectTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * Says what the ending of a request means for its message, in words for a person: what {@code
 * HttpTransport} promises. Immutable.
 */
public final class HttpDiagnosis {
  /** What a gateway answers when what is behind it does not. */
  private static final Set<Integer> GATEWAY = Set.of(502, 504);

  private static final Set<Integer> BUSY = Set.of(429, 503);
  private static final Set<Integer> TRY_AGAIN = Set.of(408, 421, 425);
  private static final int BAD_REQUEST = 400;
  private static final int GONE = 410;
  private static final int CONTENT_TOO_LARGE = 413;
  private static final int HEADERS_TOO_LARGE = 431;

  /** What receivers take by default, without the line of the request; many answer 400 to more. */
  private static final int USUAL_HEADERS_BYTES_MAX = 7_500;

  private static final String RETRY_AFTER = "retry-after";

  private final Duration pauseMax;

  public HttpDiagnosis(Duration pauseMax) {
    this.pauseMax = pauseMax;
  }

  /** Whether it cannot be told from the ending alone if the receiver or the message is to blame. */
  public static boolean isDoubtful(Ending ending) {
    if (ending instanceof Answer answer) {
      return GATEWAY.contains(answer.status()) || (isSuccess(answer) && !answer.complete());
    }
    return ending instanceof Silence silence && !isUnreachable(silence.cause());
  }

  /** Whether the connection broke before the headers of an answer. */
  public static boolean isBroken(Ending ending) {
    return ending instanceof Silence silence
        && silence.cause() != null
        && !isUnreachable(silence.cause());
  }

  /** Whether the answer to the question if anybody is there says that somebody is. */
  public static boolean isPresent(Ending ending) {
    return ending instanceof Answer answer
        && !GATEWAY.contains(answer.status())
        && !BUSY.contains(answer.status());
  }

  /**
   * The result.
   *
   * @param present whether the receiver answers other requests, where the ending is doubtful
   */
  public SendResult of(HttpAttempt attempt, Target target, Ending ending, boolean present) {
    if (isDoubtful(ending)) {
      return doubtful(target, ending, present);
    }
    if (ending instanceof Answer answer) {
      return of(attempt, target, answer);
    }
    Throwable cause = ending instanceof Silence silence ? root(silence.cause()) : null;
    String reason = "%s cannot be reached: %s";
    return new Unavailable(reason.formatted(target.label(), says(cause)), cause);
  }

  private static SendResult doubtful(Target target, Ending ending, boolean present) {
    String what;
    Throwable cause = null;
    if (ending instanceof Answer answer && !isSuccess(answer)) {
      what = answered(target, answer);
    } else if (ending instanceof Silence silence && silence.cause() == null) {
      what =
          "%s did not answer within %s"
              .formatted(target.label(), DurationText.of(target.timeout()));
    } else {
      cause = ending instanceof Silence silence ? root(silence.cause()) : null;
      what = "%s broke the connection: %s".formatted(target.label(), says(cause));
    }
    return present
        ? new Failed(what + "; it answers other requests; perhaps it has the message", cause)
        : new Unavailable(what + "; nor does it answer other requests", cause);
  }

  private static SendResult of(HttpAttempt attempt, Target target, Answer answer) {
    int status = answer.status();
    String what = answered(target, answer);
    if (isSuccess(answer)) {
      return SendResult.ACKNOWLEDGED;
    }
    if (BUSY.contains(status)) {
      return new Unavailable(what, null);
    }
    if (isStopped(target, status)) {
      String reason =
          "%s: it says that it is gone for good, so its messages wait; open it again, or send them to another address and delete these";
      return new Unavailable(reason.formatted(what), null);
    }
    if (status >= 300 && status < 500 && !mayPass(answer)) {
      return new Refused(what + advice(attempt, answer), null);
    }
    return new Failed(what, null);
  }

  /** A hook that is gone stops; addresses come one for each order, and would for ever. */
  private static boolean isStopped(Target target, int status) {
    return status == GONE && !WebUrl.isMeant(target.address());
  }

  private static boolean mayPass(Answer answer) {
    int status = answer.status();
    return TRY_AGAIN.contains(status)
        || (status == CONTENT_TOO_LARGE && answer.headers().firstValue(RETRY_AFTER).isPresent());
  }

  /** Failed instead of Refused, if the hook retries what a receiver refuses. */
  public static SendResult retried(SendResult result, Target target, Ending ending) {
    boolean retries =
        target.retryRefused() && ending instanceof Answer answer && answer.status() >= 400;
    return retries && result instanceof Refused refused
        ? new Failed(refused.reason(), refused.cause())
        : result;
  }

  private static String advice(HttpAttempt attempt, Answer answer) {
    int status = answer.status();
    Optional<String> location = answer.headers().firstValue("location");
    if (status < 400 && location.isPresent()) {
      return "; it points to "
          + PrintableExcerpt.of(location.get())
          + ", but redirects are not followed: name the right address, then requeue it";
    }
    if (status == 401 || status == 403) {
      return "; set right its secret or credentials on both sides, or the clock of either, then"
          + " requeue it";
    }
    if (status == CONTENT_TOO_LARGE) {
      return "; the message has %d bytes: raise the limit of the receiver, then requeue it"
          .formatted(attempt.message().message().payload().length);
    }
    int headersBytes = attempt.headersBytes();
    if (status == HEADERS_TOO_LARGE
        || (status == BAD_REQUEST && headersBytes > USUAL_HEADERS_BYTES_MAX)) {
      return "; its headers have %d bytes, and many receivers take 8 KB by default: raise the receiver's limit for headers, then requeue it, or send it anew with fewer"
          .formatted(headersBytes);
    }
    return "; correct the receiver or its address, then requeue it, or send it anew in another form";
  }

  private static String answered(Target target, Answer answer) {
    String body = PrintableExcerpt.of(answer.body());
    String what = "%s answered %d".formatted(target.label(), answer.status());
    return body.isEmpty() ? what : what + " (" + body + ")";
  }

  /** How long the receiver wants to be left alone; zero if it does not say so. */
  public Duration pause(Target target, Ending ending, Instant now) {
    if (!(ending instanceof Answer answer)) {
      return Duration.ZERO;
    }
    if (isStopped(target, answer.status())) {
      return pauseMax;
    }
    if (!BUSY.contains(answer.status())) {
      return Duration.ZERO;
    }
    Optional<String> date = answer.headers().firstValue("date");
    return answer
        .headers()
        .firstValue(RETRY_AFTER)
        .map(value -> RetryAfter.pause(value, date, now, pauseMax))
        .orElse(Duration.ZERO);
  }

  private static boolean isSuccess(Answer answer) {
    return answer.status() >= 200 && answer.status() < 300;
  }

  /** True if the request was not sent, for there was no connection. */
  private static boolean isUnreachable(@Nullable Throwable error) {
    Throwable cause = root(error);
    return cause instanceof ConnectException
        || cause instanceof HttpConnectTimeoutException
        || cause instanceof UnknownHostException
        || cause instanceof UnresolvedAddressException
        || cause instanceof NoRouteToHostException
        || cause instanceof SSLException;
  }

  /** What the client wraps. */
  public static @Nullable Throwable root(@Nullable Throwable error) {
    Throwable cause = error;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause;
  }

  /** What went wrong, in words. */
  public static String says(@Nullable Throwable cause) {
    if (cause == null) {
      return "the answer is cut off";
    }
    Throwable inner = cause.getCause();
    if (cause instanceof UnresolvedAddressException
        || inner instanceof UnresolvedAddressException) {
      return "its name is unknown";
    }
    String message = cause.getMessage();
    return message == null ? "no connection (" + cause.getClass().getSimpleName() + ")" : message;
  }
}
