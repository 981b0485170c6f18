package io.angarium.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.jspecify.annotations.Nullable;

/** The whole body of an answer, unless it is too large. The client calls it from one thread. */
final class LimitedBytes implements BodySubscriber<byte[]> {
  /** Some times what 500 answers have. */
  static final int BYTES_MAX = 256 << 10;

  private final ByteArrayOutputStream read = new ByteArrayOutputStream();
  private final CompletableFuture<byte[]> body = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;

  private LimitedBytes() {}

  static BodyHandler<byte[]> handler() {
    return info -> new LimitedBytes();
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    subscription.request(Long.MAX_VALUE);
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      if (read.size() + buffer.remaining() > BYTES_MAX) {
        Flow.Subscription open = subscription;
        if (open != null) {
          open.cancel();
        }
        body.completeExceptionally(
            new IOException("an answer of more than " + BYTES_MAX + " bytes"));
        return;
      }
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      read.writeBytes(bytes);
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
  public CompletionStage<byte[]> getBody() {
    return body;
  }
}
