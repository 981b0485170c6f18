package io.angarium.quickstart.demo;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import tools.jackson.databind.json.JsonMapper;

/**
 * Tells every open page what has changed, five times a second at most. Stops before the web server
 * does, which would wait for the open pages otherwise. Thread-safe.
 */
@Component
class DemoStateStream implements SmartLifecycle {
  private static final Logger LOG = LoggerFactory.getLogger(DemoStateStream.class);
  private static final long PAUSE_MILLIS = 200;
  private static final int PAGES_MAX = 20;

  /** Rounds after which the same state is sent again, so that a page notices a broken line. */
  private static final int ROUNDS_MAX = 5;

  private final DemoStateReader reader;
  private final JsonMapper json;
  private final List<SseEmitter> pages = new CopyOnWriteArrayList<>();
  private @Nullable ScheduledExecutorService timer;
  private String last = "";
  private int rounds;

  DemoStateStream(DemoStateReader reader, JsonMapper json) {
    this.reader = reader;
    this.json = json;
  }

  /**
   * Adds a page.
   *
   * @throws IllegalStateException if there are too many
   */
  SseEmitter open() {
    if (pages.size() >= PAGES_MAX) {
      throw new IllegalStateException("open pages: " + pages.size() + " (expected: fewer than 20)");
    }
    SseEmitter page = new SseEmitter(0L);
    page.onCompletion(() -> pages.remove(page));
    page.onError(error -> pages.remove(page));
    pages.add(page);
    return page;
  }

  private void round() {
    if (pages.isEmpty()) {
      return;
    }
    try {
      String state = json.writeValueAsString(reader.read());
      rounds++;
      if (!state.equals(last) || rounds >= ROUNDS_MAX) {
        last = state;
        rounds = 0;
        pages.forEach(page -> send(page, state));
      }
    } catch (RuntimeException e) {
      LOG.warn("The state could not be read for the page; it is tried again.", e);
    }
  }

  private void send(SseEmitter page, String state) {
    try {
      page.send(SseEmitter.event().data(state, MediaType.TEXT_PLAIN));
    } catch (IOException | IllegalStateException e) {
      pages.remove(page);
    }
  }

  @Override
  public synchronized void start() {
    ScheduledExecutorService started =
        Executors.newSingleThreadScheduledExecutor(task -> new Thread(task, "demo-state"));
    timer = started;
    var unused =
        started.scheduleWithFixedDelay(this::round, 0, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public synchronized void stop() {
    if (timer == null) {
      return;
    }
    timer.shutdown();
    timer = null;
    pages.forEach(SseEmitter::complete);
  }

  @Override
  public synchronized boolean isRunning() {
    return timer != null;
  }
}
