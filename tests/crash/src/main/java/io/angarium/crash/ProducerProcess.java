package io.angarium.crash;

import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A process that runs {@link OrderProducer}. Thread-safe. */
final class ProducerProcess implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(90);

  private final Process process;
  private final List<String> lines = new ArrayList<>();

  private ProducerProcess(Process process) {
    this.process = process;
    ChildJvm.read(process, this::add);
  }

  /** Starts one and waits until it can be asked. */
  static ProducerProcess start(ProducerSettings settings) throws IOException {
    ProducerProcess started =
        new ProducerProcess(
            ChildJvm.of(OrderProducer.class, settings.arguments())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    started.await(OrderProducer.READY);
    return started;
  }

  private synchronized void add(String line) {
    lines.add(line);
  }

  /** How many lines it has printed that begin so. */
  synchronized int count(String beginning) {
    return (int) lines.stream().filter(line -> line.startsWith(beginning)).count();
  }

  /** Waits until it has printed a line that begins so, now or before. */
  void await(String beginning) {
    Waiting.until(LIMIT, () -> count(beginning) > 0, () -> "No line '" + beginning + "'");
  }

  /** Lets it go on where it stopped. */
  void goOn() throws IOException {
    tell("go");
  }

  /** Has it sell no more, and waits for the orders under way; it can still be asked. */
  void stopSelling() throws IOException {
    tell("stop");
    await(OrderProducer.STOPPED);
  }

  private void tell(String line) throws IOException {
    Writer input = process.outputWriter();
    input.write(line + "\n");
    input.flush();
  }

  /** SIGKILL. */
  void kill() {
    process.destroyForcibly().onExit().join();
  }

  @Override
  public void close() {
    kill();
  }
}
