package io.angarium.server.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.angarium.StoreException;
import io.angarium.TimeSource;
import io.angarium.deadletter.DeadLetterFilter;
import io.angarium.deadletter.DeadLetterPage;
import io.angarium.deadletter.DeadLetters;
import io.angarium.deadletter.Decision;
import io.angarium.deadletter.RequeueProgress;
import io.angarium.http.half.HalfProblem;
import io.angarium.server.access.Caller;
import io.angarium.server.problem.ProblemException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** How many searches run at a time, on dead letters that answer when the test says so. */
class ConsoleDeskTest {
  private static final Instant NOW = Instant.EPOCH;
  private static final DeadLetterPage PAGE =
      new DeadLetterPage(List.of(), null, new DeadLetterPage.Looked(0, null, true), NOW);
  private static final RequeueProgress PROGRESS = new RequeueProgress(0, 0, 0, NOW, null);
  private static final ConsoleJson.Search ALL =
      new ConsoleJson.Search(
          null, null, null, null, null, null, null, null, null, null, null, null, null);

  private final Caller caller = Caller.local(TimeSource.SYSTEM);
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final CountDownLatch begun = new CountDownLatch(2);
  private final CountDownLatch answer = new CountDownLatch(1);
  private volatile boolean fails;

  private final DeadLetters dead =
      (DeadLetters)
          Proxy.newProxyInstance(
              DeadLetters.class.getClassLoader(),
              new Class<?>[] {DeadLetters.class},
              (proxy, method, arguments) -> {
                begun.countDown();
                assertThat(answer.await(30, TimeUnit.SECONDS)).isTrue();
                if (fails) {
                  throw new StoreException("no database", null);
                }
                return switch (method.getName()) {
                  case "search" -> PAGE;
                  case "requeueAll" -> PROGRESS;
                  default -> List.of();
                };
              });
  private final ConsoleDesk desk = new ConsoleDesk(dead);

  @AfterEach
  void end() {
    answer.countDown();
    threads.shutdown();
  }

  @Test
  void thirdSearchPreviewAndOperationAreToldToComeAgain() throws Exception {
    List<CompletableFuture<?>> running = new ArrayList<>();
    running.add(CompletableFuture.runAsync(() -> desk.search(caller, ALL), threads));
    running.add(CompletableFuture.runAsync(this::requeueAll, threads));
    assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();

    assertBusy(() -> desk.search(caller, ALL));
    assertBusy(() -> desk.preview(caller, DeadLetterFilter.ALL));
    assertBusy(() -> desk.causes(caller, DeadLetterFilter.ALL, null));
    assertBusy(this::requeueAll);

    answer.countDown();
    CompletableFuture.allOf(running.toArray(CompletableFuture[]::new)).get(30, TimeUnit.SECONDS);
    assertThat(desk.search(caller, ALL).items()).isEmpty();
  }

  @Test
  void searchThatFailsMakesRoomForOthers() {
    answer.countDown();
    fails = true;
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> desk.search(caller, ALL)).isInstanceOf(StoreException.class);
    }
  }

  private void requeueAll() {
    desk.requeueAll(
        caller,
        new UUID(0, 1),
        DeadLetterFilter.ALL,
        new ConsoleToken(NOW, null),
        new Decision("ann", "repaired"));
  }

  private static void assertBusy(Runnable call) {
    assertThatThrownBy(call::run)
        .isInstanceOfSatisfying(
            ProblemException.class,
            problem -> {
              assertThat(problem.status()).isEqualTo(503);
              assertThat(problem.code()).isEqualTo(HalfProblem.BUSY);
              assertThat(problem.retryAfter()).isEqualTo(Duration.ofSeconds(2));
            });
  }
}
