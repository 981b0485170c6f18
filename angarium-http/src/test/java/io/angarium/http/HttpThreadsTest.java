package io.angarium.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.angarium.http.HttpConfig.Limits;
import io.angarium.http.internal.client.ClientThreads;
import io.angarium.intake.StoredMessage;
import io.angarium.testtransports.Results;
import io.angarium.transport.SendResult;
import io.angarium.transport.SendResult.Refused;
import io.angarium.transport.SendResult.Unavailable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What becomes of messages when the process can start no thread. */
class HttpThreadsTest {
  private final HookServer server = new HookServer();
  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final Results results = new Results();
  private final Threads threads = new Threads();
  private final HttpTransport transport = open();

  /** Those of the transport, as long as some can be started. */
  private static final class Threads extends AbstractExecutorService {
    private final ExecutorService threads = ClientThreads.work(100);
    volatile boolean exhausted;

    @Override
    public void execute(Runnable task) {
      // Not what the JDK's client does by itself: its requests then run into their time-out.
      boolean ours = task.getClass().getName().startsWith(HttpTransport.class.getName());
      if (exhausted && ours) {
        throw new OutOfMemoryError("unable to create native thread: planted by this test");
      }
      threads.execute(task);
    }

    @Override
    public void shutdown() {
      threads.shutdown();
    }

    @Override
    public List<Runnable> shutdownNow() {
      return threads.shutdownNow();
    }

    @Override
    public boolean isShutdown() {
      return threads.isShutdown();
    }

    @Override
    public boolean isTerminated() {
      return threads.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
      return threads.awaitTermination(timeout, unit);
    }
  }

  private HttpTransport open() {
    server
        .on("/fast", 204, "")
        .on(
            "/slow",
            exchange -> {
              reached.countDown();
              try {
                release.await();
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
              HookServer.answer(exchange, 204, "");
            });
    HttpConfig config =
        HttpConfig.of(
                HttpHook.of("slow", server.url("/slow")), HttpHook.of("fast", server.url("/fast")))
            .limits(new Limits(1, 1, 100));
    return HttpTransport.open(config, threads);
  }

  @AfterEach
  void close() {
    release.countDown();
    transport.close();
    server.close();
  }

  @Test
  void whatCannotBeBegunHasItsResultAndLeavesItsPlaceToOthers() {
    StoredMessage unknown = Messages.to("nowhere");
    List<StoredMessage> messages = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      messages.add(Messages.to("fast"));
      messages.add(Messages.to("slow"));
    }
    messages.add(unknown);
    threads.exhausted = true;

    assertThatCode(() -> transport.send(messages, results)).doesNotThrowAnyException();

    assertThat(results.of(unknown)).isInstanceOf(Refused.class);
    messages.remove(unknown);
    assertThat(messages).map(results::of).hasOnlyElementsOfType(Unavailable.class);
    threads.exhausted = false;
    assertThat(Messages.result(transport, Messages.to("fast"))).isEqualTo(SendResult.ACKNOWLEDGED);
  }

  @Test
  void whatIsDoneHasItsResultThoughTheNextCannotBeBegun() throws Exception {
    StoredMessage first = Messages.to("slow");
    StoredMessage next = Messages.to("fast");
    transport.send(List.of(first, next), results);
    assertThat(reached.await(30, TimeUnit.SECONDS)).as("the first at its receiver").isTrue();
    threads.exhausted = true;

    release.countDown();

    assertThat(List.of(results.next().message(), results.next().message()))
        .containsExactlyInAnyOrder(first, next);
    assertThat(results.of(first)).isEqualTo(SendResult.ACKNOWLEDGED);
    assertThat(results.of(next)).isInstanceOf(Unavailable.class);
  }
}
