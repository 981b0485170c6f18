package io.angarium.http.internal.client;

import io.angarium.http.internal.client.Ending.Answer;
import io.angarium.http.internal.client.Ending.Silence;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One request from its start to its one ending. The time-out covers the whole answer, unlike that
 * of the client, which ends with its headers. Ends only when the client says so, not with the last
 * byte: only then the connection is free for the next request. Thread-safe.
 */
final class TimedRequest implements BodyHandler<String> {
  private static final int NO_CONTENT = 204;

  /** From here on a status says what has become of the request, without the rest of the answer. */
  private static final int REDIRECTS = 300;

  /**
   * The exact text of the error that the JDK's client gives, instead of a status, for a 204 whose
   * headers announce a body. The connection is closed by then.
   */
  private static final String NO_CONTENT_WITH_BODY =
      "unexpected content length header with 204 response";

  private final Consumer<Ending> endings;
  private final Consumer<TimedRequest> over;
  private final int keptBytesMax;
  private final AtomicBoolean ended = new AtomicBoolean();
  private volatile @Nullable ResponseInfo begun;
  private volatile @Nullable Answer answer;
  private volatile @Nullable Future<?> deadline;
  private volatile @Nullable CompletableFuture<HttpResponse<String>> response;

  /**
   * @param endings told once, on a thread of the client or of the timer, unless it is abandoned
   * @param over told once in any case, before
   * @param keptBytesMax how much of the answer is kept
   */
  TimedRequest(Consumer<Ending> endings, Consumer<TimedRequest> over, int keptBytesMax) {
    this.endings = endings;
    this.over = over;
    this.keptBytesMax = keptBytesMax;
  }

  /** Sends the request and returns; blocks at most for the name service. */
  void start(
      HttpClient client, HttpRequest request, Duration timeout, ScheduledExecutorService timer) {
    deadline = timer.schedule(this::expire, timeout.toNanos(), TimeUnit.NANOSECONDS);
    CompletableFuture<HttpResponse<String>> sent = client.sendAsync(request, this);
    response = sent;
    CompletableFuture<?> unused = sent.whenComplete((read, error) -> end(error));
    if (ended.get()) {
      sent.cancel(true);
    }
  }

  @Override
  public BodySubscriber<String> apply(ResponseInfo info) {
    begun = info;
    return new LimitedBody(info, keptBytesMax, all -> answer = all);
  }

  private void expire() {
    end((Throwable) null);
  }

  /** What was read counts, whatever the client says or does not say in time. */
  private void end(@Nullable Throwable error) {
    Answer read = answer;
    end(read == null ? withoutBody(error) : read);
  }

  private Ending withoutBody(@Nullable Throwable error) {
    ResponseInfo head = begun;
    if (head != null && (error != null || head.statusCode() >= REDIRECTS)) {
      boolean complete = Framing.isLengthRepeated(head.headers());
      return new Answer(head.statusCode(), head.headers(), "", complete);
    }
    Throwable cause = HttpDiagnosis.root(error);
    boolean noContent =
        cause instanceof IOException && NO_CONTENT_WITH_BODY.equals(cause.getMessage());
    return noContent
        ? new Answer(NO_CONTENT, HttpHeaders.of(Map.of(), (name, value) -> true), "", true)
        : new Silence(error);
  }

  /** Ends it without telling anybody. */
  void abandon() {
    if (ended.compareAndSet(false, true)) {
      over.accept(this);
      release();
    }
  }

  private void end(Ending ending) {
    if (ended.compareAndSet(false, true)) {
      over.accept(this);
      if (ending instanceof Answer read && read.complete()) {
        stopTimer();
      } else {
        release();
      }
      endings.accept(ending);
    }
  }

  /** Closes the connection, unless the answer is complete. */
  private void release() {
    stopTimer();
    CompletableFuture<?> sent = response;
    if (sent != null) {
      sent.cancel(true);
    }
  }

  private void stopTimer() {
    Future<?> scheduled = deadline;
    if (scheduled != null) {
      scheduled.cancel(false);
    }
  }
}
