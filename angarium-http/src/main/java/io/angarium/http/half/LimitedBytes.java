package io.angarium.http.half;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * The whole body of an answer, unless it is too large. The client returns it as soon as the headers
 * are there, and fills it from one thread. {@link #await} waits for the rest.
 */
final class LimitedBytes implements BodySubscriber<LimitedBytes> {
  /** Some times what 500 answers have. */
  static final int BYTES_MAX = 256 << 10;

  private final ByteArrayOutputStream read = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private volatile Flow.@Nullable Subscription subscription;
  private volatile boolean cancelled;

  private LimitedBytes() {}

  static BodyHandler<LimitedBytes> handler() {
    return info -> new LimitedBytes();
  }

  /**
   * Waits for the end of the body.
   *
   * @param nanos after which the connection is closed; none if that is not positive
   * @throws TimeoutException if it did not end so soon
   * @throws IOException if it is too large, or the connection broke
   */
  void await(long nanos) throws IOException, TimeoutException, InterruptedException {
    try {
      body.get(nanos, TimeUnit.NANOSECONDS);
    } catch (TimeoutException | InterruptedException e) {
      cancel();
      throw e;
    } catch (ExecutionException e) {
      throw new IOException(String.valueOf(e.getCause()), e.getCause());
    }
  }

  /** What was waited for. */
  byte[] bytes() {
    return body.join();
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    if (cancelled) {
      subscription.cancel();
    } else {
      subscription.request(Long.MAX_VALUE);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      if (read.size() + buffer.remaining() > BYTES_MAX) {
        cancel();
        body.completeExceptionally(
            new IOException("an answer of more than " + BYTES_MAX + " bytes"));
        return;
      }
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      read.writeBytes(bytes);
    }
  }

  private void cancel() {
    cancelled = true;
    Flow.Subscription open = subscription;
    if (open != null) {
      open.cancel();
    }
  }

  @Override
  public void onError(Throwable cause) {
    body.completeExceptionally(cause);
  }

  @Override
  public void onComplete() {
    body.complete(read.toByteArray());
  }

  @Override
  public CompletionStage<LimitedBytes> getBody() {
    return CompletableFuture.completedFuture(this);
  }
}
