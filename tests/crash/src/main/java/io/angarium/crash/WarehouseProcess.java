package io.angarium.crash;

import io.angarium.crash.Warehouse.Answer;
import io.angarium.testservers.TestDatabase;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A process that runs {@link Warehouse}, and its deliveries: a few at a time, and one more for each
 * that is acknowledged. Thread-safe.
 */
final class WarehouseProcess {
  private static final int LIMIT_SECONDS = 120;
  private static final int PREFETCH = 16;

  /** How a process works, and where it stops. Immutable. */
  record Plan(Consumption way, int threads, CrashPoint point, int passes) {}

  private final Plan plan;
  private final Deliveries source;
  private final Runnable due;
  private final Process process;
  private final Thread reader;
  private final CountDownLatch ready = new CountDownLatch(1);
  private final Map<Long, Delivery> given = new TreeMap<>();
  private final Map<Answer, Integer> answers = new EnumMap<>(Answer.class);

  private WarehouseProcess(Plan plan, Deliveries source, Runnable due, Process process) {
    this.plan = plan;
    this.source = source;
    this.due = due;
    this.process = process;
    this.reader = ChildJvm.read(process, this::see);
  }

  /**
   * Starts one.
   *
   * @param due called when it has come to its point, or for {@link CrashPoint#ANY_TIME} when it has
   *     answered as many deliveries as its plan says
   */
  static WarehouseProcess start(TestDatabase database, Plan plan, Deliveries source, Runnable due)
      throws IOException {
    List<String> arguments =
        List.of(
            database.url(),
            database.user(),
            database.password(),
            plan.way().name(),
            Integer.toString(plan.threads()),
            plan.point().name(),
            Integer.toString(plan.passes()));
    ProcessBuilder builder =
        ChildJvm.of(Warehouse.class, arguments).redirectError(ProcessBuilder.Redirect.INHERIT);
    return new WarehouseProcess(plan, source, due, builder.start());
  }

  private synchronized void see(String line) {
    if (line.equals(Warehouse.READY)) {
      deliver(PREFETCH);
      ready.countDown();
    } else if (line.startsWith(Tripwire.SIGN)) {
      due.run();
    } else if (line.startsWith(Warehouse.DELIVERY) && line.endsWith(Warehouse.END)) {
      String[] words = line.substring(0, line.length() - Warehouse.END.length()).split(" ", -1);
      answered(Long.parseLong(words[1]), Answer.valueOf(words[2]));
    }
  }

  private void answered(long number, Answer answer) {
    Delivery delivery = given.remove(number);
    if (answer != Answer.NEW && answer != Answer.REPEAT) {
      source.giveBack(List.of(delivery));
    }
    int before = answers.values().stream().mapToInt(Integer::intValue).sum();
    answers.merge(answer, 1, Integer::sum);
    if (plan.point() == CrashPoint.ANY_TIME && before == plan.passes()) {
      due.run();
    }
    deliver(1);
  }

  private void deliver(int number) {
    StringBuilder lines = new StringBuilder();
    for (int i = 0; i < number; i++) {
      source
          .next()
          .ifPresent(
              delivery -> {
                given.put(delivery.number(), delivery);
                lines.append(delivery.line()).append('\n');
              });
    }
    try {
      OutputStream input = process.getOutputStream();
      input.write(lines.toString().getBytes(StandardCharsets.UTF_8));
      input.flush();
    } catch (IOException e) {
      // the process is gone; what was given to it comes again
    }
  }

  Plan plan() {
    return plan;
  }

  void awaitReady() throws InterruptedException {
    if (!ready.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException("A warehouse did not start within " + LIMIT_SECONDS + " s");
    }
  }

  /** What it has answered so far. */
  synchronized Map<Answer, Integer> answers() {
    return new EnumMap<>(answers);
  }

  /** What it was given and has not answered. */
  synchronized int unacknowledged() {
    return given.size();
  }

  /**
   * SIGKILL. What it has not acknowledged goes back.
   *
   * @return how many that were
   */
  int kill() throws InterruptedException {
    process.destroyForcibly();
    process.waitFor();
    reader.join(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS)); // its last words count
    synchronized (this) {
      List<Delivery> back = new ArrayList<>(given.values());
      given.clear();
      source.giveBack(back);
      return back.size();
    }
  }
}
