package io.angarium.testservers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A server as a child process of this JVM that does not outlive it. */
final class LocalProcess implements ServerProcess {
  private static final long STOP_LIMIT_SECONDS = 60;
  private static final long KILL_LIMIT_SECONDS = 60;
  private static final long FREEZE_LIMIT_SECONDS = 60;

  private final List<String> command;
  private final Path folder;
  private final Path log;
  private final String stopSignal;
  private final Watchdog watchdog;
  private @Nullable Process process;

  /**
   * @param folder the private folder of the server, deleted with everything in it by {@link
   *     #close()}
   * @param stopSignal the signal that makes this server stop in good order
   * @param orphanSignal the signal that ends the server quickest with all its children
   */
  LocalProcess(List<String> command, Path folder, String stopSignal, String orphanSignal) {
    this.command = OwnSession.of(command);
    this.folder = folder;
    this.log = folder.resolve("server.log");
    this.stopSignal = stopSignal;
    this.watchdog = Watchdog.start(folder, orphanSignal);
  }

  @Override
  public synchronized void start() {
    try {
      Process started =
          new ProcessBuilder(command)
              .directory(folder.toFile())
              .redirectInput(ProcessBuilder.Redirect.from(Shell.nothing()))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
              .start();
      process = started;
      watchdog.guard(started.pid());
    } catch (IOException e) {
      throw new ServerUnavailableException("Cannot start " + command, e);
    }
  }

  @Override
  public synchronized void stop() {
    Process running = running();
    if (running == null) {
      return;
    }
    Shell.signal(stopSignal, List.of(running.pid()));
    if (!ended(TimeUnit.SECONDS.toMillis(STOP_LIMIT_SECONDS))) {
      String output = lastOutput();
      kill();
      throw new IllegalStateException(
          "The server did not stop within %d s and was killed: %s%n%s"
              .formatted(STOP_LIMIT_SECONDS, command, output));
    }
    forget();
  }

  @Override
  public synchronized void kill() {
    Process running = running();
    if (running == null) {
      return;
    }
    List<Long> family = freeze(running);
    Shell.signal("KILL", family);
    // The parent has died when it has been waited for: as a zombie it may still have threads that
    // hold its port and its files. Its children have one thread each.
    boolean dead =
        ended(TimeUnit.SECONDS.toMillis(KILL_LIMIT_SECONDS))
            && family.stream().skip(1).allMatch(LocalProcess::isDead);
    forget();
    if (!dead) {
      throw new IllegalStateException("A killed server is still there: " + family);
    }
  }

  /** Waits for the end of a process that need not be a child of this JVM. */
  static boolean isDead(long pid) {
    return comesTrue(KILL_LIMIT_SECONDS, () -> isGone(pid));
  }

  private static boolean comesTrue(long limitSeconds, BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
    boolean so = condition.getAsBoolean();
    while (!so && System.nanoTime() < deadline) {
      Shell.pause(5);
      so = condition.getAsBoolean(); // once more after the deadline, which may be over by a stall
    }
    return so;
  }

  /** Orphans stay zombies where process 1 does not collect them, as in many containers. */
  private static boolean isGone(long pid) {
    return !ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false)
        || isInState('Z', Path.of("/proc", Long.toString(pid)));
  }

  /**
   * True if no thread of a process runs: a signal reaches them one after the other. Taken for true
   * where the platform does not tell.
   */
  private static boolean isStill(long pid) {
    if (!Files.isDirectory(Path.of("/proc/self/task"))) {
      return true;
    }
    try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(pid), "task"))) {
      return threads.allMatch(thread -> isInState('T', thread) || isInState('Z', thread));
    } catch (IOException | UncheckedIOException e) {
      return isGone(pid);
    }
  }

  /** The state follows the name, which is in brackets and may itself contain some. */
  private static boolean isInState(char state, Path thread) {
    try {
      String line = Files.readString(thread.resolve("stat"));
      return line.startsWith(") " + state + " ", line.lastIndexOf(')'));
    } catch (IOException e) {
      return false;
    }
  }

  @Override
  public synchronized void pause() {
    Process running = running();
    if (running == null) {
      throw new IllegalStateException("The server does not run and cannot be paused: " + command);
    }
    List<Long> family = freeze(running);
    if (!comesTrue(FREEZE_LIMIT_SECONDS, () -> family.stream().allMatch(LocalProcess::isStill))) {
      throw new IllegalStateException("A server that was to pause goes on: " + family);
    }
  }

  /**
   * Stops the parent first: a stopped parent has no new children while the others are looked up.
   */
  private static List<Long> freeze(Process running) {
    List<Long> family = new ArrayList<>(List.of(running.pid()));
    Shell.signal("STOP", family);
    comesTrue(FREEZE_LIMIT_SECONDS, () -> isStill(running.pid())); // else it goes on having some
    running.descendants().map(ProcessHandle::pid).forEach(family::add);
    Shell.signal("STOP", family);
    return family;
  }

  @Override
  public synchronized void resume() {
    Process running = running();
    if (running == null) {
      throw new IllegalStateException("The server does not run and cannot go on: " + command);
    }
    List<Long> family = new ArrayList<>(running.descendants().map(ProcessHandle::pid).toList());
    family.add(running.pid());
    Shell.signal("CONT", family);
  }

  @Override
  public synchronized OptionalLong pid() {
    Process running = running();
    return running == null ? OptionalLong.empty() : OptionalLong.of(running.pid());
  }

  private @Nullable Process running() {
    if (process != null && !process.isAlive()) {
      forget();
    }
    return process;
  }

  @Override
  public boolean ended(long millis) {
    Process current = process;
    if (current == null) {
      return true;
    }
    try {
      return current.waitFor(millis, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for a server", e);
    }
  }

  private void forget() {
    process = null;
    watchdog.guardNothing();
  }

  @Override
  public String lastOutput() {
    return Shell.tail(log);
  }

  @Override
  public synchronized void close() {
    kill();
    Shell.deleteTree(folder);
    watchdog.close();
  }
}
