package io.angarium.dubbo;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.angarium.Message;
import io.angarium.TimeSource;
import io.angarium.half.CheckAnswer;
import io.angarium.half.HalfKey;
import io.angarium.half.HalfMessage;
import io.angarium.half.HalfState;
import io.angarium.half.Verdict;
import io.angarium.intake.MessageIntake;
import io.angarium.testkit.memory.InMemoryHalfMessages;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.LockSupport;

/** Has an interrupted thread be the first to use Dubbo. Prints {@link #DONE} if it works. */
final class InterruptedProcess {
  static final String DONE = "works, and is interrupted still";

  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final int CLOSED_EARLY = 8;
  private static final long STEP_NANOS = 12_000_000;

  private InterruptedProcess() {}

  /** What the process does. */
  enum Work {
    /** An interrupted thread opens a server and a client, and calls. */
    OPENING,
    /** An interrupted thread is the first to call. */
    CALLING,
    /** An interrupted thread offers answers to check-backs, opens a transport and asks. */
    ASKING,
    /** Transports are closed while they load what their first question needs; another one asks. */
    CLOSING
  }

  public static void main(String[] args) {
    Loopback loopback = new Loopback();
    switch (Work.valueOf(args[0])) {
      case OPENING -> {
        Thread.currentThread().interrupt();
        call(loopback, false);
      }
      case CALLING -> call(loopback, true);
      case ASKING -> {
        Thread.currentThread().interrupt();
        ask(loopback);
      }
      case CLOSING -> {
        for (int i = 0; i < CLOSED_EARLY; i++) {
          try (DubboCheckBackTransport closed = asker(loopback)) {
            ask(closed, loopback);
            LockSupport.parkNanos(i * STEP_NANOS);
          }
        }
        Thread.currentThread().interrupt();
        ask(loopback);
      }
    }
    System.out.println(Thread.interrupted() ? DONE : "is not interrupted any longer");
  }

  private static void call(Loopback loopback, boolean interrupted) {
    InMemoryHalfMessages served = new InMemoryHalfMessages(TimeSource.SYSTEM);
    try (DubboServer server = loopback.open();
        DubboHalfMessages half = client(loopback)) {
      server.offer(new HalfMessagesOverDubbo(served));
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
      prepare(half, "1");
      prepare(half, "2");
    }
  }

  private static DubboHalfMessages client(Loopback loopback) {
    DubboHalfConfig config =
        new DubboHalfConfig(
            loopback.address(),
            null,
            null,
            "angarium",
            PATIENCE,
            PATIENCE,
            new DubboHalfConfig.Limits(1, 500, 1 << 20));
    return DubboHalfMessages.open(config, MessageIntake.of(null));
  }

  private static void prepare(DubboHalfMessages half, String key) {
    HalfMessage message =
        HalfMessage.of(new HalfKey("order", key), Message.of("kafka:orders", key.getBytes(UTF_8)));
    HalfState state = half.prepare(message);
    if (state != HalfState.PREPARED) {
      throw new AssertionError(state);
    }
  }

  private static void ask(Loopback loopback) {
    CheckBackService answers = new CheckBackService(Map.of("7", key -> Verdict.COMMITTED));
    try (DubboServer producer = loopback.open();
        DubboCheckBackTransport transport = asker(loopback)) {
      producer.offer(answers, "1.0.0");
      CheckAnswer answer = ask(transport, loopback).toCompletableFuture().join().get(0);
      if (answer.verdict() != Verdict.COMMITTED) {
        throw new AssertionError(answer);
      }
    }
  }

  private static DubboCheckBackTransport asker(Loopback loopback) {
    return DubboCheckBackTransport.open(
        "message-centre", DubboCheckBackConfig.allowing(loopback.address()).answer(PATIENCE));
  }

  private static CompletionStage<List<CheckAnswer>> ask(
      DubboCheckBackTransport transport, Loopback loopback) {
    return transport.ask(
        URI.create(loopback.address() + "?version=1.0.0"), List.of(new HalfKey("7", "1")));
  }
}
