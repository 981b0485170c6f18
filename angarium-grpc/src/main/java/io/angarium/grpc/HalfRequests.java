package io.angarium.grpc;

import com.google.protobuf.CodedOutputStream;
import io.angarium.InvalidMessageException;
import io.angarium.OutboxException;
import io.angarium.StoreException;
import io.angarium.grpc.v1.HalfWire;
import io.angarium.half.NotPermittedException;
import io.angarium.internal.DurationText;
import io.grpc.Deadline;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Lets calls that are made at the same time share requests. While the maximum number of requests is
 * in flight, new calls wait in a queue. When a request ends, the next one takes along the calls
 * that have gathered. So no call waits for a timer, and a single call goes alone. Has no thread of
 * its own: the threads of the callers and of the channel do the work. Thread-safe.
 */
final class HalfRequests {
  /** After so many callers in a row who failed alone, the database is taken to be away. */
  static final int FAILURES_MAX = 8;

  /** The time that an answer may be late before it is given up. */
  private static final Duration GRACE = Duration.ofSeconds(1);

  private static final String UNKNOWN = "whether they took effect is unknown, repeat them";
  private static final String NOTHING = "nothing took effect, repeat them";

  /** The server has looked at all calls and begun none. */
  private static final Set<Status.Code> NOTHING_DONE =
      Set.of(Status.Code.INVALID_ARGUMENT, Status.Code.PERMISSION_DENIED);

  private static final Status GIVEN_UP =
      Status.UNAVAILABLE.withDescription(
          "the database failed them together with others, and others alone, so they were not tried"
              + " again");

  /** Starts one request. */
  @FunctionalInterface
  interface Start {
    /** Does not block; the observer is called by any thread, perhaps before this returns. */
    void request(
        HalfWire.CallAllRequest request,
        Deadline deadline,
        StreamObserver<HalfWire.CallAllResponse> observer);
  }

  /**
   * Calls of one caller.
   *
   * @param bytes what they take of a request
   */
  record Part(List<HalfWire.Call> calls, long bytes) {
    /** Without its headers it has no more. */
    private static final int PREPARE_FIELDS = 25;

    /** The server can make prepares at once, and commits; what else there is goes by itself. */
    HalfWire.Call.StepCase kind() {
      HalfWire.Call.StepCase first = calls.get(0).getStepCase();
      return calls.stream().allMatch(call -> call.getStepCase() == first)
          ? first
          : HalfWire.Call.StepCase.STEP_NOT_SET;
    }

    /** What it takes of a request: more than its bytes where it has many fields for them. */
    static long share(HalfWire.Call call, int requestBytes) {
      int bytes = bytes(call);
      long fields =
          call.hasPrepare() ? PREPARE_FIELDS + 3L * call.getPrepare().getHeadersCount() : 6;
      long more = fields - bytes / FieldCount.BYTES_EACH;
      return Math.max(bytes, more * requestBytes / FieldCount.FIELDS + 1);
    }

    /** What a call takes in a request. */
    static int bytes(HalfWire.Call call) {
      return CodedOutputStream.computeMessageSize(HalfWire.CallAllRequest.CALLS_FIELD_NUMBER, call);
    }
  }

  /** What a caller is told: answers, or why there are none. */
  private record Outcome(List<HalfWire.Answer> answers, @Nullable Status failure) {}

  private record Waiting(Part part, CompletableFuture<Outcome> outcome) {
    void fail(Status status) {
      outcome.complete(new Outcome(List.of(), status));
    }
  }

  /**
   * What travels together.
   *
   * @param failures callers in a row that failed alone, of the group that this was a part of
   */
  private record Group(List<Waiting> members, Deadline deadline, AtomicInteger failures) {
    HalfWire.CallAllRequest request() {
      HalfWire.CallAllRequest.Builder request = HalfWire.CallAllRequest.newBuilder();
      members.forEach(member -> request.addAllCalls(member.part().calls()));
      return request.build();
    }

    Group part(int from, int to) {
      return new Group(members.subList(from, to), deadline, failures);
    }

    boolean isGivenUp() {
      return failures.get() >= FAILURES_MAX;
    }
  }

  private final GrpcHalfConfig config;
  private final Start start;
  private final ReentrantLock lock = new ReentrantLock();
  private final Deque<Waiting> queue = new ArrayDeque<>();

  /** Parts of groups in which a call was at fault; they go first. */
  private final Deque<Group> divided = new ArrayDeque<>();

  private int free;

  HalfRequests(GrpcHalfConfig config, Start start) {
    this.config = config;
    this.start = start;
    this.free = config.requestsUnderWay();
  }

  /**
   * Makes calls together with calls of other callers, and waits for the answers.
   *
   * @param part no larger than a request may be
   * @return one answer for each call
   * @throws InvalidMessageException if the server finds one of them invalid; none took effect
   * @throws NotPermittedException if the caller is not allowed to make them; none took effect
   * @throws StoreException if there is no answer
   */
  List<HalfWire.Answer> run(Part part) {
    Waiting own = new Waiting(part, new CompletableFuture<>());
    if (isFirst(own)) {
      sendAll();
    }
    Outcome outcome = outcome(own);
    Status failure = outcome.failure();
    if (failure == null) {
      return outcome.answers();
    }
    throw exception(part, failure);
  }

  private static OutboxException exception(Part part, Status failure) {
    return switch (failure.getCode()) {
      case INVALID_ARGUMENT ->
          new InvalidMessageException(String.valueOf(failure.getDescription()));
      case PERMISSION_DENIED, UNAUTHENTICATED ->
          new NotPermittedException(describe(part, GrpcHalfMessages.refused(failure)));
      default ->
          new StoreException(
              describe(part, GrpcHalfMessages.describe(failure) + "; " + UNKNOWN),
              failure.asException());
    };
  }

  private static String describe(Part part, String what) {
    return part.calls().size() + " calls for half messages over gRPC: " + what;
  }

  /** Whether a request may be sent for it now; if not, one that ends takes it along. */
  private boolean isFirst(Waiting own) {
    lock.lock();
    try {
      if (queue.size() >= config.waiting()) {
        throw new StoreException(
            describe(own.part(), queue.size() + " others wait for their turn; " + NOTHING), null);
      }
      queue.add(own);
      boolean first = free > 0;
      free -= first ? 1 : 0;
      return first;
    } finally {
      lock.unlock();
    }
  }

  private Outcome outcome(Waiting own) {
    try {
      Outcome outcome = await(own, config.timeout());
      if (outcome == null && isWithdrawn(own)) {
        throw new StoreException(
            describe(
                own.part(),
                "not sent within " + DurationText.of(config.timeout()) + "; " + NOTHING),
            null);
      }
      if (outcome == null) {
        outcome = await(own, config.timeout().plus(GRACE));
      }
      return outcome != null ? outcome : new Outcome(List.of(), Status.DEADLINE_EXCEEDED);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      String end = isWithdrawn(own) ? NOTHING : UNKNOWN;
      throw new StoreException(describe(own.part(), "interrupted; " + end), e);
    }
  }

  private static @Nullable Outcome await(Waiting own, Duration time) throws InterruptedException {
    try {
      return own.outcome().get(time.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e); // nobody completes it so
    }
  }

  private boolean isWithdrawn(Waiting own) {
    lock.lock();
    try {
      return queue.remove(own);
    } finally {
      lock.unlock();
    }
  }

  /** Sends what waits, in one request after the other, until one is under way or none is left. */
  private void sendAll() {
    for (Group group = next(); group != null; group = next()) {
      if (group.isGivenUp()) {
        group.members().forEach(member -> member.fail(GIVEN_UP));
      } else if (!new Request(group).isOverAtOnce()) {
        return;
      }
    }
  }

  private @Nullable Group next() {
    lock.lock();
    try {
      Group first = divided.poll();
      if (first != null) {
        return first;
      }
      if (queue.isEmpty()) {
        free++;
        return null;
      }
      return gathered();
    } finally {
      lock.unlock();
    }
  }

  private Group gathered() {
    List<Waiting> members = new ArrayList<>();
    int calls = 0;
    long bytes = 0;
    HalfWire.Call.StepCase kind = queue.element().part().kind();
    Iterator<Waiting> waiting = queue.iterator();
    while (waiting.hasNext()) {
      Waiting next = waiting.next();
      if (next.part().kind() == kind) {
        calls += next.part().calls().size();
        bytes += next.part().bytes();
        if (!members.isEmpty()
            && (calls > config.callsPerRequest() || bytes > config.requestBytes())) {
          break;
        }
        members.add(next);
        waiting.remove();
      }
    }
    return new Group(
        members,
        Deadline.after(config.timeout().toNanos(), TimeUnit.NANOSECONDS),
        new AtomicInteger());
  }

  /** In parts of so many callers each. */
  private void divide(Group group, int size) {
    int count = group.members().size();
    lock.lock();
    try {
      for (int from = 0; from < count; from += size) {
        divided.add(group.part(from, Math.min(from + size, count)));
      }
    } finally {
      lock.unlock();
    }
  }

  /** One request and its answer. */
  private final class Request implements StreamObserver<HalfWire.CallAllResponse> {
    private final Group group;
    private final AtomicBoolean over = new AtomicBoolean();

    /** Set by the first of: the start has returned, the answer is there. */
    private final AtomicBoolean passed = new AtomicBoolean();

    private volatile HalfWire.@Nullable CallAllResponse response;

    Request(Group group) {
      this.group = group;
    }

    /**
     * Starts the request. Returns true if it has already ended, so that the caller goes on with the
     * next request.
     */
    boolean isOverAtOnce() {
      try {
        start.request(group.request(), group.deadline(), this);
      } catch (RuntimeException e) {
        onError(e);
      }
      return !passed.compareAndSet(false, true);
    }

    @Override
    public void onNext(HalfWire.CallAllResponse value) {
      response = value;
    }

    @Override
    public void onError(Throwable cause) {
      if (over.compareAndSet(false, true)) {
        fail(Status.fromThrowable(cause), HalfFailures.reason(cause));
        goOn();
      }
    }

    @Override
    public void onCompleted() {
      if (over.compareAndSet(false, true)) {
        answer();
        goOn();
      }
    }

    private void goOn() {
      if (!passed.compareAndSet(false, true)) {
        sendAll();
      }
    }

    /** What is at fault is to fail alone. */
    private void fail(Status status, String reason) {
      boolean storeFailed = reason.equals(HalfFailures.STORE_FAILED);
      int count = group.members().size();
      if (count > 1 && (storeFailed || reason.equals(HalfFailures.SOME_REFUSED))) {
        divide(group, 1); // a search by halves would wait for a key that is held again and again
      } else if (count > 1 && NOTHING_DONE.contains(status.getCode())) {
        divide(group, (count + 1) / 2);
      } else {
        if (storeFailed) {
          group.failures().incrementAndGet();
        }
        group.members().forEach(member -> member.fail(status));
      }
    }

    private void answer() {
      HalfWire.CallAllResponse answered = response;
      int expected =
          group.members().stream().mapToInt(member -> member.part().calls().size()).sum();
      int count = answered == null ? 0 : answered.getAnswersCount();
      if (answered == null || count != expected) {
        fail(
            Status.INTERNAL.withDescription(
                count + " answers to " + expected + " calls; is it a server of half messages?"),
            "");
        return;
      }
      group.failures().set(0);
      int next = 0;
      for (Waiting member : group.members()) {
        int end = next + member.part().calls().size();
        List<HalfWire.Answer> answers = answered.getAnswersList().subList(next, end);
        member.outcome().complete(new Outcome(answers, null));
        next = end;
      }
    }
  }

  /** How many callers wait for their turn. */
  int waiting() {
    lock.lock();
    try {
      return queue.size();
    } finally {
      lock.unlock();
    }
  }
}
