package io.angarium.server;

import io.angarium.Message;
import io.angarium.half.HalfCall;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.http.half.HalfJson;
import io.angarium.http.half.HttpHalfConfig;
import io.angarium.http.half.HttpHalfConfig.Limits;
import io.angarium.http.half.HttpHalfMessages;
import io.angarium.intake.MessageIntake;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Pairs of prepare and commit in a second over HTTP, against a server in a process of its own on
 * the embedded database, and what reading a batch costs. A rough measure for decision 40, not a
 * test: run its main method on the test class path.
 */
final class HalfHttpBench {
  private static final PrintStream OUT = System.out;
  private static final byte[] PAYLOAD = "x".repeat(300).getBytes(StandardCharsets.UTF_8);
  private static final long RUN_NANOS = 6_000_000_000L;

  private HalfHttpBench() {}

  /** Prints a line for each number of callers and of requests at a time. */
  public static void main(String[] args) throws Exception {
    reading();
    List<String> options = List.of("--server.port=0", "--logging.level.io.angarium=warn");
    try (ServerProcess server =
        new ServerProcess(Files.createTempDirectory("half-http-bench-"), options)) {
      run(server.address(), 64, new Limits(2, 500, 2 << 20), 0); // to warm up
      int round = 1;
      for (int callers : new int[] {1, 8, 64, 256}) {
        for (int requests : new int[] {1, 2, 4, 8}) {
          run(server.address(), callers, new Limits(requests, 500, 2 << 20), round++);
        }
        run(server.address(), callers, new Limits(64, 1, 2 << 20), round++);
      }
    }
  }

  private static void run(String address, int callers, Limits limits, int round) throws Exception {
    List<Long> nanos = Collections.synchronizedList(new ArrayList<>());
    HttpHalfConfig config = HttpHalfConfig.of(address).limits(limits);
    ExecutorService threads = Executors.newFixedThreadPool(callers);
    long begin = System.nanoTime();
    try (HttpHalfMessages half = HttpHalfMessages.open(config, MessageIntake.of("bench"))) {
      List<Future<?>> all = new ArrayList<>();
      for (int i = 0; i < callers; i++) {
        String prefix = round + "-" + i + "-";
        all.add(threads.submit(() -> pairs(half, prefix, begin, nanos)));
      }
      for (Future<?> each : all) {
        each.get();
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    threads.shutdown();
    List<Long> sorted = nanos.stream().sorted().toList();
    OUT.printf(
        "%3d callers, %2d requests of %3d calls: %6.0f pairs/s, a pair %5.1f ms, p99 %5.1f ms%n",
        callers,
        limits.requests(),
        limits.calls(),
        sorted.size() / seconds,
        sorted.get(sorted.size() / 2) / 1e6,
        sorted.get(sorted.size() * 99 / 100) / 1e6);
  }

  private static void pairs(HttpHalfMessages half, String prefix, long begin, List<Long> nanos) {
    for (int i = 0; System.nanoTime() - begin < RUN_NANOS; i++) {
      HalfKey key = new HalfKey("bench", prefix + i);
      long start = System.nanoTime();
      half.prepare(HalfMessage.of(key, Message.of("log:bench", PAYLOAD)));
      half.commit(key);
      nanos.add(System.nanoTime() - start);
    }
  }

  /** What the form of a batch costs the server at most. */
  private static void reading() {
    StringBuilder json = new StringBuilder("{\"calls\":[");
    String payload = Base64.getEncoder().encodeToString(PAYLOAD);
    for (int i = 0; i < HalfJson.CALLS_MAX; i++) {
      json.append(i == 0 ? "" : ",")
          .append("{\"step\":\"prepare\",\"business\":\"bench\",\"key\":\"")
          .append(i)
          .append("\",\"destination\":\"log:bench\",\"payload\":\"")
          .append(payload)
          .append("\"}");
    }
    byte[] body = json.append("]}").toString().getBytes(StandardCharsets.UTF_8);
    int rounds = 2_000;
    long calls = 0;
    long begin = 0;
    for (int i = -rounds; i < rounds; i++) {
      if (i == 0) {
        begin = System.nanoTime();
      }
      List<HalfCall> read = HalfJson.readCalls(body);
      calls += i < 0 ? 0 : read.size();
    }
    OUT.printf(
        "reading: %.2f us for a call of %d bytes of payload%n",
        (System.nanoTime() - begin) / 1e3 / calls, PAYLOAD.length);
  }
}
