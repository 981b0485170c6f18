package io.angarium.http.internal.client;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.http.internal.client.Ending.Answer;
import java.io.ByteArrayOutputStream;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of an answer, but no more than a limit, and keeps the beginning. Not thread-safe:
 * the client calls it from one thread at a time.
 */
public final class LimitedBody implements BodySubscriber<String> {
  /** So much is read, so that the connection can be used again; beyond it, it is closed. */
  public static final int READ_BYTES_MAX = 64 << 10;

  private final ResponseInfo info;
  private final int keptBytesMax;
  private final Consumer<Answer> answered;
  private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
  private final CompletableFuture<String> body = new CompletableFuture<>();
  private Flow.@Nullable Subscription subscription;
  private int readBytes;
  private boolean ended;

  /**
   * @param keptBytesMax at most {@link #READ_BYTES_MAX}
   * @param answered told once, when all is read, or enough, or the connection broke
   */
  LimitedBody(ResponseInfo info, int keptBytesMax, Consumer<Answer> answered) {
    this.info = info;
    this.keptBytesMax = keptBytesMax;
    this.answered = answered;
  }

  @Override
  public void onSubscribe(Flow.Subscription subscription) {
    this.subscription = subscription;
    if (Framing.isDouble(info.headers())) {
      subscription.cancel();
      end(true);
    } else {
      subscription.request(Long.MAX_VALUE);
    }
  }

  @Override
  public void onNext(List<ByteBuffer> buffers) {
    for (ByteBuffer buffer : buffers) {
      readBytes += buffer.remaining();
      byte[] bytes = new byte[Math.min(buffer.remaining(), keptBytesMax - kept.size())];
      buffer.get(bytes);
      kept.writeBytes(bytes);
    }
    Flow.Subscription open = subscription;
    if (readBytes > READ_BYTES_MAX && open != null) {
      open.cancel();
      end(true);
    }
  }

  @Override
  public void onError(Throwable cause) {
    end(false);
  }

  @Override
  public void onComplete() {
    end(true);
  }

  private void end(boolean complete) {
    if (!ended) {
      ended = true;
      String text = kept.toString(UTF_8);
      answered.accept(new Answer(info.statusCode(), info.headers(), text, complete));
      body.complete(text);
    }
  }

  @Override
  public CompletionStage<String> getBody() {
    return body;
  }
}
