package io.angarium.dubbo;

import io.angarium.dubbo.AnswerReading.Problem;
import io.angarium.dubbo.DubboApplication.ClosedException;
import io.angarium.dubbo.References.Loan;
import io.angarium.half.internal.remote.CallerRefusal;
import io.angarium.half.internal.remote.DubboAddress;
import io.angarium.half.internal.remote.HalfReply;
import io.angarium.half.internal.remote.HalfReply.Answers;
import io.angarium.half.internal.remote.HalfReply.Failure;
import io.angarium.half.internal.remote.HalfReply.Kind;
import io.angarium.half.internal.remote.PrintableExcerpt;
import io.angarium.internal.DurationText;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.apache.dubbo.rpc.RpcContext;
import org.apache.dubbo.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests to a server of half messages over Dubbo. A request whose connection broke is made
 * once more: the server may have been restarted, and every call may be repeated. Thread-safe.
 */
final class DubboHalfConnection implements AutoCloseable {
  private static final int ATTEMPTS_MAX = 2;
  private static final int CAUSES_MAX = 20;
  private static final long GRACE_MILLIS = 1_000;
  private static final String UNKNOWN = CallerRefusal.EFFECT_UNKNOWN;

  private final DubboHalfConfig config;
  private final DubboAddress address;
  private final DubboApplication application;
  private final References<HalfReference> references;
  private volatile boolean closed;

  /** What a request calls. */
  interface Call extends Function<HalfMessageService, Map<String, Object>> {}

  /** Reads what a successful request was answered; throws {@link IllegalArgumentException}. */
  interface Reading<A> extends Function<Map<?, ?>, List<A>> {}

  DubboHalfConnection(DubboHalfConfig config) {
    this.config = config;
    this.address = config.address();
    this.application = DubboApplication.open(config.application());
    this.references =
        new References<>(
            1,
            place ->
                application.call(() -> new HalfReference(application.module(), place, config)));
  }

  /** Waits for the answer, not interruptibly, and reads it. */
  <A> HalfReply<A> call(Call call, Reading<A> reading) {
    String shown;
    try {
      shown = config.shown();
    } catch (RuntimeException e) {
      return failed("no token of its source: " + e + "; nothing took effect", e);
    }
    return attempt(call, shown, reading, 1);
  }

  private <A> HalfReply<A> attempt(
      Call call, @Nullable String shown, Reading<A> reading, int attempt) {
    if (closed) {
      return failed("it is closed" + CallerRefusal.effect(attempt), null);
    }
    Loan<HalfReference> loan;
    try {
      loan = references.borrow(address);
    } catch (RuntimeException e) { // Dubbo's, when it is closed
      return failed(reason(e) + CallerRefusal.effect(attempt), e);
    }
    Map<String, Object> answer;
    try {
      answer = awaited(application.call(() -> asked(loan.reference(), shown, call)));
    } catch (ClosedException e) {
      return failed(e.getMessage() + CallerRefusal.effect(attempt), e);
    } catch (ExecutionException | TimeoutException | RuntimeException e) {
      boolean late = isLate(e);
      if (!late) {
        references.forget(loan); // Dubbo sets aside whom it did not reach
      }
      return !late && attempt < ATTEMPTS_MAX && !closed
          ? attempt(call, shown, reading, attempt + 1)
          : failed(
              (late ? "no answer within " + DurationText.of(config.answer()) : reason(e)) + UNKNOWN,
              e);
    } finally {
      application.discard(references.giveBack(loan));
    }
    return read(answer, reading, attempt);
  }

  private CompletableFuture<Map<String, Object>> asked(
      HalfReference reference, @Nullable String shown, Call call) {
    try {
      HalfMessageService service = reference.service(); // first: to connect clears attachments
      if (shown != null) {
        RpcContext.getClientAttachment().setAttachment(HalfMessageService.API_KEY, shown);
      }
      return RpcContext.getServiceContext().asyncCall(() -> call.apply(service));
    } finally {
      RpcContext.removeContext();
    }
  }

  /** One that leads calls of others must not end with its own thread. */
  private Map<String, Object> awaited(CompletableFuture<Map<String, Object>> future)
      throws ExecutionException, TimeoutException {
    boolean interrupted = false;
    try {
      while (true) {
        try {
          return future.get(config.answer().toMillis() + GRACE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static boolean isLate(Throwable failure) {
    Throwable each = failure;
    for (int i = 0; i < CAUSES_MAX && each != null; i++) {
      if (each instanceof TimeoutException
          || each instanceof org.apache.dubbo.remoting.TimeoutException
          || (each instanceof RpcException rpc && rpc.isTimeout())) {
        return true;
      }
      each = each.getCause();
    }
    return false;
  }

  private <A> HalfReply<A> read(
      @Nullable Map<String, Object> answer, Reading<A> reading, int attempt) {
    if (answer == null) {
      return failed("no answer; is it a server of half messages?" + UNKNOWN, null);
    }
    Problem problem = AnswerReading.problem(answer);
    if (problem != null) {
      return refused(problem, attempt);
    }
    try {
      return new Answers<>(reading.apply(answer));
    } catch (IllegalArgumentException e) {
      return failed("an answer that is none: " + e.getMessage() + UNKNOWN, e);
    }
  }

  private <A> HalfReply<A> refused(Problem problem, int attempt) {
    String told = problem.code() + ": " + PrintableExcerpt.of(problem.detail());
    return switch (problem.code()) {
      case HalfMessageService.INVALID ->
          new Failure<>(Kind.INVALID, text(problem.detail()), problem.calls(), null);
      case HalfMessageService.TOO_LARGE ->
          new Failure<>(
              problem.calls().isEmpty() ? Kind.TOO_LARGE_TOGETHER : Kind.INVALID,
              text(problem.detail()),
              problem.calls(),
              null);
      case HalfMessageService.UNAUTHENTICATED ->
          letNot(CallerRefusal.unknown(told, attempt), problem.calls(), attempt);
      case HalfMessageService.NOT_PERMITTED ->
          letNot(CallerRefusal.notPermitted(told, attempt), problem.calls(), attempt);
      case HalfMessageService.STORE_FAILED ->
          new Failure<>(Kind.FAILED_TOGETHER, text(told + UNKNOWN), List.of(), null);
      case HalfMessageService.TOO_MANY -> // of the calls of one business, or of all
          new Failure<>(
              Kind.FAILED, text(told + CallerRefusal.effect(attempt)), problem.calls(), null);
      case HalfMessageService.ISSUER_AWAY -> failed(told + CallerRefusal.effect(attempt), null);
      default -> failed(told + UNKNOWN, null);
    };
  }

  private <A> HalfReply<A> letNot(String what, List<Integer> calls, int attempt) {
    return CallerRefusal.failure(text(what), calls, attempt);
  }

  private <A> HalfReply<A> failed(String what, @Nullable Throwable cause) {
    return new Failure<>(Kind.FAILED, text(what), List.of(), cause);
  }

  private String text(String what) {
    return "Half messages at " + config.server() + ": " + what;
  }

  private static String reason(Throwable failure) {
    Throwable root = failure;
    for (int i = 0; i < CAUSES_MAX && root.getCause() != null; i++) {
      root = root.getCause();
    }
    return PrintableExcerpt.of(root.getMessage() == null ? root.toString() : root.getMessage());
  }

  /** Ends everything; what is under way may fail. */
  @Override
  public void close() {
    closed = true;
    application.close();
  }
}
