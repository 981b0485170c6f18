package io.angarium.crash;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A service process. Thread-safe. */
final class Child {
  /** Much, for a machine that is busy. */
  static final int START_SECONDS_MAX = 180;

  private final ServiceSettings settings;
  private final Process process;
  private final CountDownLatch ready = new CountDownLatch(1);
  private final CountDownLatch atPoint = new CountDownLatch(1);

  private Child(ServiceSettings settings, Process process) {
    this.settings = settings;
    this.process = process;
    ChildJvm.read(process, this::see);
  }

  /**
   * Starts one.
   *
   * @param log gets its standard error
   */
  static Child start(ServiceSettings settings, File log) throws IOException {
    ProcessBuilder builder = ChildJvm.of(Service.class, settings.arguments());
    builder.redirectError(ProcessBuilder.Redirect.appendTo(log));
    return new Child(settings, builder.start());
  }

  private void see(String line) {
    if (line.equals(Service.READY)) {
      ready.countDown();
    } else if (line.startsWith(Tripwire.SIGN)) {
      atPoint.countDown();
    }
  }

  ServiceSettings settings() {
    return settings;
  }

  boolean awaitReady() throws InterruptedException {
    return ready.await(START_SECONDS_MAX, TimeUnit.SECONDS);
  }

  /**
   * Waits until the process has reached its crash point.
   *
   * @return false if it did not in that time
   */
  boolean awaitPoint(long millis) throws InterruptedException {
    return atPoint.await(millis, TimeUnit.MILLISECONDS);
  }

  boolean isAtPoint() {
    return atPoint.getCount() == 0;
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }

  /** Lets it finish by itself. */
  int stop() throws IOException, InterruptedException {
    process.getOutputStream().close();
    if (!process.waitFor(60, TimeUnit.SECONDS)) {
      kill();
      throw new IllegalStateException(settings.node() + " did not stop within 60 s");
    }
    return process.exitValue();
  }
}
