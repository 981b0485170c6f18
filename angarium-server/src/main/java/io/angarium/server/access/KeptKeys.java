package io.angarium.server.access;

import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import io.angarium.TimeSource;
import io.angarium.internal.DurationText;
import io.angarium.server.settings.OAuth2Properties;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The keys that the issuer returned last. They are fetched when a key is wanted and they are old,
 * or when a wanted key is not among them. A separate thread fetches them, so that a caller with a
 * known key does not wait for a slow issuer. Thread-safe.
 */
final class KeptKeys implements JWKSource<SecurityContext> {
  /** In which the issuer is asked twice at most, whatever tokens come. */
  static final Duration ASKING_PAUSE = Duration.ofSeconds(10);

  private static final int ASKED_MAX = 2;

  /** More than a fetch takes, but for the name service. */
  private static final Duration WAIT_MAX = IssuerKeys.FETCH_MAX.plusSeconds(1);

  /** Anybody can make up keys: the threads of the server are for others. */
  private static final int WAITING_MAX = 4;

  private static final Duration FULL_PAUSE = Duration.ofSeconds(1);

  private final OAuth2Properties given;
  private final IssuerKeys issuer;
  private final TimeSource time;
  private final Semaphore places = new Semaphore(WAITING_MAX);
  private final Object lock = new Object();
  private final ArrayDeque<Long> askedAt = new ArrayDeque<>();
  private volatile @Nullable Fetched last;
  private @Nullable CompletableFuture<JWKSet> underWay;

  private record Fetched(JWKSet keys, long at) {}

  /** A question to the issuer, and whether it was asked now or before. */
  private record Question(CompletableFuture<JWKSet> answer, boolean isNew) {}

  /** Thrown when it cannot be known now whether a key is the issuer's. */
  static final class UnknownNowException extends KeySourceException {
    private static final long serialVersionUID = 1L;
    private final Duration pause;

    UnknownNowException(String reason, Duration pause, @Nullable Throwable cause) {
      super(reason, cause);
      this.pause = pause;
    }

    /** After which it may be known. */
    Duration pause() {
      return pause;
    }
  }

  KeptKeys(OAuth2Properties given, IssuerKeys issuer, TimeSource time) {
    this.given = given;
    this.issuer = issuer;
    this.time = time;
  }

  /**
   * Returns the keys that are wanted; empty if the issuer has none of them. May wait for the issuer
   * for some seconds.
   *
   * @throws UnknownNowException if none is known and the issuer cannot be asked
   */
  @Override
  public List<JWK> get(JWKSelector wanted, @Nullable SecurityContext context)
      throws UnknownNowException {
    Fetched known = last;
    if (known == null || age(known) >= given.keysKept().toNanos()) {
      return asked(wanted);
    }
    List<JWK> found = wanted.select(known.keys());
    if (found.isEmpty()) {
      return asked(wanted);
    }
    return age(known) < given.keysRefreshed().toNanos() ? found : refreshed(wanted, found);
  }

  private long age(Fetched fetched) {
    return time.nanoTime() - fetched.at();
  }

  /**
   * One caller waits for an issuer that was there the last time, so that a key that it took back
   * long ago does not count once more. All others go on with what is known.
   */
  private List<JWK> refreshed(JWKSelector wanted, List<JWK> known) {
    boolean wasAway = issuer.isAway();
    Question question = question();
    if (question == null || !question.isNew() || wasAway) {
      return known;
    }
    try {
      return wanted.select(answered(question));
    } catch (UnknownNowException e) {
      return known;
    }
  }

  private List<JWK> asked(JWKSelector wanted) throws UnknownNowException {
    if (!places.tryAcquire()) {
      throw new UnknownNowException(
          "its key is not known, and %d others wait for the issuer %s already"
              .formatted(WAITING_MAX, given.issuerUri()),
          FULL_PAUSE,
          null);
    }
    try {
      Question question = wantedQuestion();
      List<JWK> found = wanted.select(answered(question));
      // a question from before may have been answered before the key was there
      return found.isEmpty() && !question.isNew()
          ? wanted.select(answered(wantedQuestion()))
          : found;
    } finally {
      places.release();
    }
  }

  private Question wantedQuestion() throws UnknownNowException {
    Question question = question();
    if (question == null) {
      throw issuer.isAway()
          ? away(null)
          : new UnknownNowException(
              "its key is not known, and the issuer %s was asked for its keys %d times in the last %s"
                  .formatted(given.issuerUri(), ASKED_MAX, DurationText.of(ASKING_PAUSE)),
              ASKING_PAUSE,
              null);
    }
    return question;
  }

  private UnknownNowException away(@Nullable Throwable cause) {
    return new UnknownNowException(
        "the keys of the issuer %s cannot be fetched".formatted(given.issuerUri()),
        ASKING_PAUSE,
        cause);
  }

  private JWKSet answered(Question question) throws UnknownNowException {
    try {
      return question.answer().get(WAIT_MAX.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw away(e);
    } catch (ExecutionException | TimeoutException e) {
      throw away(e);
    }
  }

  /** The one that is under way, or a new one; null if there were too many. */
  private @Nullable Question question() {
    synchronized (lock) {
      CompletableFuture<JWKSet> before = underWay;
      if (before != null) {
        return new Question(before, false);
      }
      long now = time.nanoTime();
      askedAt.removeIf(at -> now - at >= ASKING_PAUSE.toNanos());
      if (askedAt.size() >= ASKED_MAX) {
        return null;
      }
      CompletableFuture<JWKSet> answer = new CompletableFuture<>();
      Thread thread = new Thread(() -> ask(answer, now), "angarium-issuer-keys");
      thread.setDaemon(true);
      thread.start();
      askedAt.add(now);
      underWay = answer;
      return new Question(answer, true);
    }
  }

  private void ask(CompletableFuture<JWKSet> answer, long now) {
    try {
      JWKSet keys = issuer.fetched();
      last = new Fetched(keys, now);
      end();
      answer.complete(keys);
    } catch (Throwable e) { // the outermost handler: the callers that wait get it
      end();
      answer.completeExceptionally(e);
    }
  }

  private void end() {
    synchronized (lock) {
      underWay = null;
    }
  }
}
