package io.angarium.benchmarks.arm;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs an arm in this JVM: reads commands from the standard input, one per line, and answers each
 * with one line. What libraries print goes to the standard error.
 */
public final class ArmProgram {
  private static final String OK = "ok";

  /** How many messages of a load can have their times noted. */
  public static final int TIMES_CAPACITY = 16_000_000;

  private final Arm.Opener opener;
  private @Nullable Arm arm;

  private ArmProgram(Arm.Opener opener) {
    this.opener = opener;
  }

  /** Obeys until the input ends, or whoever started it has, also in the midst of a command. */
  public static void run(Arm.Opener opener) throws IOException {
    ProcessHandle.current().parent().ifPresent(ArmProgram::endWith);
    Writer answers = new OutputStreamWriter(System.out, StandardCharsets.UTF_8);
    System.setOut(System.err);
    ArmProgram program = new ArmProgram(opener);
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      program.answer(Line.parse(line)).writeTo(answers);
    }
    System.exit(0); // whatever threads a library left behind
  }

  @SuppressWarnings("FutureReturnValueIgnored") // nobody is left to be told
  private static void endWith(ProcessHandle parent) {
    parent.onExit().thenRun(() -> System.exit(1));
  }

  private Line answer(Line command) {
    try {
      return obey(command);
    } catch (Exception e) {
      e.printStackTrace();
      return Line.of("failed").with("why", e);
    }
  }

  private Line obey(Line command) throws Exception {
    return switch (command.word()) {
      case "open" -> open(command);
      case "load" -> load(command);
      case "start" -> start();
      case "stop" -> stop();
      case "drain" -> drain(command);
      case "await" -> await(command);
      case "left" -> Line.of(OK).with("left", arm().left());
      case "unacknowledged" -> Line.of(OK).with("attempts", arm().unacknowledged());
      case "memory" -> memory();
      case "close" -> close();
      default -> throw new IllegalArgumentException("unknown command: " + command);
    };
  }

  private Line open(Line command) throws Exception {
    close();
    arm = opener.open(ArmSettings.of(command));
    return Line.of(OK);
  }

  private Line start() throws Exception {
    arm().start();
    return Line.of(OK);
  }

  private Line stop() throws Exception {
    arm().stop();
    return Line.of(OK);
  }

  private Arm arm() {
    if (arm == null) {
      throw new IllegalStateException("no arm is open");
    }
    return arm;
  }

  private Line load(Line command) throws Exception {
    String file = command.values().get("times");
    Times times = file == null ? null : Times.open(Path.of(file), TIMES_CAPACITY);
    return Load.of(command).run(arm(), times).toLine();
  }

  /** Starts the relay, waits until all is sent or time is up, and stops it. */
  private Line drain(Line command) throws Exception {
    long start = System.nanoTime();
    arm().start();
    Line sent = await(command).with("sending", System.nanoTime() - start);
    arm().stop();
    return sent.with("nanos", System.nanoTime() - start);
  }

  /** Waits until so many messages were sent in all, or time is up. */
  private Line await(Line command) {
    long wanted = command.number("sent");
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(command.number("seconds"));
    while (arm().sent() < wanted && System.nanoTime() < end) {
      LockSupport.parkNanos(1_000_000);
    }
    return Line.of(OK).with("sent", arm().sent());
  }

  /** Bytes of the heap in use after a collection. */
  private static Line memory() {
    System.gc();
    return Line.of(OK)
        .with("live", ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed());
  }

  private Line close() {
    if (arm != null) {
      arm.close();
      arm = null;
    }
    return Line.of(OK);
  }
}
