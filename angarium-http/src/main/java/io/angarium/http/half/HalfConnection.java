package io.angarium.http.half;

import io.angarium.TimeSource;
import io.angarium.half.internal.remote.CallerRefusal;
import io.angarium.half.internal.remote.HalfReply;
import io.angarium.half.internal.remote.HalfReply.Answers;
import io.angarium.half.internal.remote.HalfReply.Failure;
import io.angarium.half.internal.remote.HalfReply.Kind;
import io.angarium.half.internal.remote.PrintableExcerpt;
import io.angarium.http.half.HalfAnswerReading.Problem;
import io.angarium.internal.DurationText;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient.Version;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests to a server of half messages. A request whose connection broke is made once more:
 * a server that was restarted has closed the connections that were kept, and every call may be
 * repeated. Thread-safe.
 */
final class HalfConnection implements AutoCloseable {
  private static final int ATTEMPTS_MAX = 2;
  private static final int UNAUTHORIZED = 401;
  private static final int FORBIDDEN = 403;
  private static final int TOO_LARGE = 413;
  private static final String UNKNOWN = CallerRefusal.EFFECT_UNKNOWN;

  private final HttpHalfConfig config;
  private final BlockingClient client;
  private final Map<String, URI> addresses = new ConcurrentHashMap<>();

  /** Reads what a successful request was answered. */
  interface Reading<A> {
    List<A> from(byte[] body) throws IOException;
  }

  HalfConnection(HttpHalfConfig config, @Nullable SSLContext tls, TimeSource time) {
    this.config = config;
    this.client = new BlockingClient(config, tls, time);
  }

  /** Posts JSON, waits for the answer, not interruptibly, and reads it. */
  <A> HalfReply<A> post(String path, byte[] json, Reading<A> reading) {
    String shown;
    try {
      shown = config.shown();
    } catch (RuntimeException e) {
      return failed("no token of its source: " + e + "; nothing took effect", e);
    }
    HttpRequest.Builder request =
        HttpRequest.newBuilder(addresses.computeIfAbsent(path, config::uri))
            .version(Version.HTTP_1_1)
            .POST(BodyPublishers.ofByteArray(json))
            .setHeader("user-agent", "Angarium")
            .setHeader("accept", "application/json, application/problem+json")
            .setHeader("content-type", "application/json");
    if (shown != null) {
      request.setHeader("authorization", "Bearer " + shown);
    }
    return attempt(request, reading, 1);
  }

  private <A> HalfReply<A> attempt(HttpRequest.Builder request, Reading<A> reading, int attempt) {
    if (client.isClosed()) {
      return failed("it is closed" + CallerRefusal.effect(attempt), null);
    }
    try {
      return read(client.send(request), reading, attempt);
    } catch (IOException e) {
      boolean late = e instanceof HttpTimeoutException;
      if (late && !(e instanceof HttpConnectTimeoutException)) {
        return failed("no answer within " + DurationText.of(config.answer()) + UNKNOWN, e);
      }
      return attempt < ATTEMPTS_MAX
          ? attempt(request, reading, attempt + 1)
          : failed(e + UNKNOWN, e);
    } catch (RuntimeException e) {
      return failed(e + UNKNOWN, e);
    }
  }

  private <A> HalfReply<A> read(
      HttpResponse<LimitedBytes> answer, Reading<A> reading, int attempt) {
    if (answer.statusCode() != 200) {
      Problem problem = HalfAnswerReading.problem(answer.body().bytes());
      return refused(answer.statusCode(), problem, attempt);
    }
    try {
      return new Answers<>(reading.from(answer.body().bytes()));
    } catch (IOException e) {
      return failed("an answer that is none: " + e.getMessage() + UNKNOWN, e);
    }
  }

  private <A> HalfReply<A> refused(int status, Problem problem, int attempt) {
    String told = status + " " + problem.code() + ": " + PrintableExcerpt.of(problem.detail());
    return switch (problem.code()) {
      case HalfProblem.INVALID ->
          new Failure<>(Kind.INVALID, text(problem.detail()), problem.calls(), null);
      case HalfProblem.TOO_LARGE ->
          new Failure<>(
              problem.calls().isEmpty() ? Kind.TOO_LARGE_TOGETHER : Kind.INVALID,
              text(problem.detail()),
              problem.calls(),
              null);
      case HalfProblem.UNAUTHENTICATED ->
          letNot(CallerRefusal.unknown(told, attempt), problem.calls(), attempt);
      case HalfProblem.NOT_PERMITTED ->
          letNot(CallerRefusal.notPermitted(told, attempt), problem.calls(), attempt);
      case HalfProblem.STORE_FAILED ->
          new Failure<>(Kind.FAILED_TOGETHER, text(told + UNKNOWN), List.of(), null);
      case HalfProblem.TOO_MANY -> // of the calls of one business, or of all
          new Failure<>(
              Kind.FAILED, text(told + CallerRefusal.effect(attempt)), problem.calls(), null);
      case HalfProblem.TOO_SLOW, HalfProblem.BUSY, HalfProblem.ISSUER_AWAY ->
          failed(told + CallerRefusal.effect(attempt), null);
      case "" -> byAnother(status, attempt);
      default -> failed(told + UNKNOWN, null);
    };
  }

  /** A proxy, say, that knows nothing of problems. */
  private <A> HalfReply<A> byAnother(int status, int attempt) {
    String told = "status " + status + " by something that is no server of half messages";
    if (status == UNAUTHORIZED || status == FORBIDDEN) {
      String doubt = told + ", a gateway perhaps: check the address";
      return letNot(CallerRefusal.unknown(doubt, attempt), List.of(), attempt);
    }
    return status == TOO_LARGE
        ? new Failure<>(Kind.TOO_LARGE_TOGETHER, text(told + "; raise its limit"), List.of(), null)
        : failed(told + "; check the address" + (status >= 500 ? UNKNOWN : ""), null);
  }

  private <A> HalfReply<A> letNot(String what, List<Integer> calls, int attempt) {
    return CallerRefusal.failure(text(what), calls, attempt);
  }

  private <A> HalfReply<A> failed(String what, @Nullable Throwable cause) {
    return new Failure<>(Kind.FAILED, text(what), List.of(), cause);
  }

  private String text(String what) {
    return "Half messages at " + config.server() + ": " + what;
  }

  /** Ends the threads; what is under way may fail. */
  @Override
  public void close() {
    client.close();
  }
}
