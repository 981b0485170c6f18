package io.angarium.messagecentre.demo;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Calls over HTTP, and waiting for what they are to answer. Thread-safe. */
final class Web {
  private static final int LOOKS_MAX = 900;
  private static final long LOOK_MILLIS = 200;
  private static final Duration ANSWER_MAX = Duration.ofMinutes(2);

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();

  /** What is waited for. */
  interface Condition {
    boolean holds() throws IOException, InterruptedException;
  }

  /** The body of an answer; throws if it is no success. */
  String get(String address) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(request(address).GET().build(), BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(address + " answers " + answer.statusCode() + ": " + answer.body());
    }
    return answer.body();
  }

  /** The status of the answer. */
  int post(String address) throws IOException, InterruptedException {
    return client.send(postOf(address), BodyHandlers.discarding()).statusCode();
  }

  /** Sends and goes on, as nobody will answer. */
  void begin(String address) {
    var unused = client.sendAsync(postOf(address), BodyHandlers.discarding());
  }

  private static HttpRequest postOf(String address) {
    return request(address).POST(BodyPublishers.noBody()).build();
  }

  private static HttpRequest.Builder request(String address) {
    return HttpRequest.newBuilder(URI.create(address)).timeout(ANSWER_MAX);
  }

  /** Blocks until the process answers; throws if it ends instead. */
  void awaitAnswer(Service service, String path) throws InterruptedException {
    boolean answered = await(LOOKS_MAX, () -> answers(service, path));
    if (!answered) {
      throw new IllegalStateException("No answer from " + service.address() + path);
    }
  }

  private boolean answers(Service service, String path) throws InterruptedException {
    service.requireAlive();
    try {
      get(service.address() + path);
      return true;
    } catch (IOException e) {
      return false; // not yet
    }
  }

  /** Looks until it holds, some minutes at most; says whether it does. */
  boolean await(Condition condition) throws InterruptedException {
    return await(LOOKS_MAX, condition);
  }

  /** Looks so often, five times a second; says whether it holds. */
  boolean await(int looks, Condition condition) throws InterruptedException {
    CountDownLatch pause = new CountDownLatch(1); // which nobody ends
    for (int i = 0; i < looks; i++) {
      try {
        if (condition.holds()) {
          return true;
        }
      } catch (IOException e) {
        // perhaps later
      }
      pause.await(LOOK_MILLIS, TimeUnit.MILLISECONDS);
    }
    return false;
  }
}
