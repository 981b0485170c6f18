package io.angarium.http.alert;

import io.angarium.TimeSource;
import io.angarium.alert.AlertChannel;
import io.angarium.alert.Notices;
import io.angarium.half.internal.remote.PrintableExcerpt;
import io.angarium.http.internal.client.Client;
import io.angarium.http.internal.client.Ending;
import io.angarium.http.internal.client.Ending.Answer;
import io.angarium.http.internal.client.Ending.Silence;
import io.angarium.http.internal.client.HttpDiagnosis;
import io.angarium.internal.DurationText;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Tells persons of alerts by one POST for each message, in the form of a {@link
 * HttpAlertConfig.Kind}. It follows no redirects. Exceptions name the channel and the host, never a
 * path, a query or a secret, also if a receiver repeats them. Thread-safe.
 */
public final class HttpAlertChannel implements AlertChannel {
  private static final int KEPT_BYTES_MAX = 4 << 10;

  /** The client ends each request in time; this is for one that is closed meanwhile. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private final HttpAlertConfig config;
  private final AlertForm form;
  private final TimeSource time;
  private final Client client;

  /** Makes a channel with the trust of the JVM and its clock. Nothing is sent before a notice. */
  public HttpAlertChannel(HttpAlertConfig config) {
    this(config, null, TimeSource.SYSTEM);
  }

  /**
   * Makes a channel. Nothing is sent before a notice.
   *
   * @param tls whom to trust, and who this is; null for the JVM's default
   * @param time clock for signatures
   */
  public HttpAlertChannel(HttpAlertConfig config, @Nullable SSLContext tls, TimeSource time) {
    this.config = config;
    this.form = AlertForm.of(config);
    this.time = time;
    this.client = new Client(config.timing().connect(), 1, KEPT_BYTES_MAX, tls);
  }

  @Override
  public String name() {
    return config.name();
  }

  @Override
  public boolean direct() {
    return config.direct();
  }

  @Override
  public @Nullable Duration renewal() {
    return form.renewal();
  }

  /**
   * Posts and waits for the answer. Blocks at most for the time-out, the name service excluded.
   *
   * @throws IOException if the receiver did not take the notices, or the thread is interrupted,
   *     which stays set
   */
  @Override
  public void send(Notices notices) throws IOException {
    HttpRequest request = form.request(notices, time.instant()).build();
    Ending ending = exchange(request);
    if (ending instanceof Silence silence) {
      throw silent(silence, request);
    }
    Answer answer = (Answer) ending;
    int status = answer.status();
    if (status < 200 || status >= 300) {
      throw failure(answered(answer), request, null);
    }
    Optional<String> refusal = form.refusal(answer.body());
    if (refusal.isPresent()) {
      throw failure(refusal.get(), request, null);
    }
  }

  private Ending exchange(HttpRequest request) throws IOException {
    Duration timeout = config.timing().answer();
    CompletableFuture<Ending> ended = new CompletableFuture<>();
    try {
      client.exchange(request, timeout, ended::complete);
      return ended.get(timeout.plus(GRACE).toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("channel " + name() + ": interrupted, perhaps it was told");
    } catch (TimeoutException e) {
      return new Silence(null);
    } catch (ExecutionException e) {
      return new Silence(e.getCause());
    } catch (RuntimeException e) {
      return new Silence(e);
    }
  }

  private IOException silent(Silence silence, HttpRequest request) {
    Throwable cause = HttpDiagnosis.root(silence.cause());
    String what =
        cause == null
            ? "no answer within " + DurationText.of(config.timing().answer())
            : HttpDiagnosis.says(cause);
    return failure(what, request, cause);
  }

  private static String answered(Answer answer) {
    int status = answer.status();
    String what = "answered " + status;
    if (status < 400) {
      return what + "; redirects are not followed, so name the right address";
    }
    return answer.body().isBlank() ? what : what + ": " + answer.body();
  }

  /** Keeps the cause unless it shows what is secret. */
  private IOException failure(String what, HttpRequest request, @Nullable Throwable cause) {
    HiddenParts parts = new HiddenParts(request.uri(), config.secret());
    String shown = PrintableExcerpt.of(parts.hide(what));
    boolean harmless = cause != null && parts.hide(cause.toString()).equals(cause.toString());
    String place = config.target().origin();
    return new IOException(
        "channel %s at %s: %s".formatted(name(), place, shown), harmless ? cause : null);
  }

  /** Breaks off what is under way and ends the threads. May be called twice. */
  @Override
  public void close() {
    client.close();
  }

  /** The configuration without secrets. */
  @Override
  public String toString() {
    return "HttpAlertChannel[" + config + "]";
  }
}
