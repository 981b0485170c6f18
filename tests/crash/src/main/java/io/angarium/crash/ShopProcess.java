package io.angarium.crash;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A process that runs {@link Shop}. Not thread-safe: one thread at a time. */
final class ShopProcess {
  private static final int LIMIT_SECONDS = 90;

  private final Process process;
  private final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private ShopProcess(Process process) {
    this.process = process;
    ChildJvm.read(process, lines::add);
  }

  static ShopProcess start(List<String> arguments) throws IOException {
    return new ShopProcess(
        ChildJvm.of(Shop.class, arguments).redirectError(ProcessBuilder.Redirect.INHERIT).start());
  }

  /** Waits for a line that begins so; the lines before it are dropped. */
  void await(String beginning) throws InterruptedException {
    @Nullable String line = lines.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    while (line != null && !line.startsWith(beginning)) {
      line = lines.poll(LIMIT_SECONDS, TimeUnit.SECONDS);
    }
    if (line == null) {
      throw new IllegalStateException("No line '" + beginning + "' from a shop");
    }
  }

  /** SIGKILL. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
  }
}
