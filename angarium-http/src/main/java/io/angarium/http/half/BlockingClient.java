package io.angarium.http.half;

import io.angarium.TimeSource;
import io.angarium.http.internal.client.ClientThreads;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Redirect;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests by the threads that wait for the answers. Where a request is answered by and by,
 * the client of the JDK takes a thread more to tell of it, on small machines a new one each time.
 * Thread-safe.
 */
final class BlockingClient implements AutoCloseable {
  private static final int THREADS_MAX = 256;

  private final Duration answer;
  private final TimeSource time;

  /**
   * Threads for TLS. Null without TLS: the thread that watches the connections also reads the
   * answers.
   */
  private final @Nullable ExecutorService threads;

  /** Null once it is closed: the client of JDK 17 ends when nobody holds it any more. */
  private volatile @Nullable HttpClient client;

  BlockingClient(HttpHalfConfig config, @Nullable SSLContext tls, TimeSource time) {
    this.answer = config.answer();
    this.time = time;
    this.threads = config.isEncrypted() ? ClientThreads.work(THREADS_MAX) : null;
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .connectTimeout(config.connect())
            .followRedirects(Redirect.NEVER)
            .executor(threads == null ? Runnable::run : threads);
    if (tls != null) {
      builder.sslContext(tls);
    }
    this.client = builder.build();
  }

  /**
   * Sends a request that may be repeated, and waits for the whole answer, not interruptibly.
   *
   * @throws HttpTimeoutException if that takes too long
   * @throws HttpConnectTimeoutException if nobody accepts the connection so soon
   * @throws IOException if the connection breaks, the answer is too large, or this is closed
   */
  HttpResponse<LimitedBytes> send(HttpRequest.Builder request) throws IOException {
    HttpRequest timed = request.timeout(answer).build();
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return sendOnce(timed);
        } catch (InterruptedException e) {
          interrupted = true; // which broke off the request
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private HttpResponse<LimitedBytes> sendOnce(HttpRequest request)
      throws IOException, InterruptedException {
    HttpClient open = client;
    if (open == null) {
      throw new IOException("the client is closed");
    }
    long startNanos = time.nanoTime();
    HttpResponse<LimitedBytes> response = open.send(request, LimitedBytes.handler());
    try {
      long leftNanos = answer.toNanos() - (time.nanoTime() - startNanos);
      response.body().await(leftNanos);
      return response;
    } catch (TimeoutException e) {
      throw new HttpTimeoutException("the answer began and did not end");
    }
  }

  boolean isClosed() {
    return client == null;
  }

  /** Ends the threads; what is under way may fail. */
  @Override
  public void close() {
    client = null;
    if (threads != null) {
      threads.shutdown();
    }
  }
}
