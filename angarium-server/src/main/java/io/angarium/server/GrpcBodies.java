package io.angarium.server;

import io.angarium.TimeSource;
import io.grpc.Context;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts what requests over gRPC take of the {@link BodyMemory}, byte by byte as they come, and
 * cuts off those that have no room or come too slowly. Thread-safe.
 */
final class GrpcBodies extends ServerStreamTracer.Factory {
  private static final Context.Key<Body> BODY = Context.key("io.angarium.server.body");

  private static final Status BUSY =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "the server has as many requests in memory as it takes, of all callers or of this one;"
              + " nothing of this one took effect, come again");
  private static final Status TOO_SLOW =
      Status.CANCELLED.withDescription(
          "the request came too slowly: less than %d bytes in 10 s; nothing of it took effect"
              .formatted(Pace.BYTES_MIN));

  private final BodyMemory memory;
  private final TimeSource time;
  private final Set<Body> open = ConcurrentHashMap.newKeySet();

  GrpcBodies(BodyMemory memory, TimeSource time) {
    this.memory = memory;
    this.time = time;
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    return new Body();
  }

  /** That of the request that begins now; null where requests are not counted. */
  static @Nullable Body current() {
    return BODY.get();
  }

  /** To be called again and again. */
  void cutOffSlow() {
    open.forEach(Body::cutOffIfSlow);
  }

  /** What one call takes, be it a request or a stream of them. */
  final class Body extends ServerStreamTracer {
    private final Pace pace = new Pace(time);
    private final Deque<Long> unanswered = new ArrayDeque<>();
    private BodyMemory.@Nullable Part part;
    private @Nullable RefusableCall<?, ?> call;
    private boolean awaited;
    private long wire;
    private long unpacked;
    private long counted;
    private long whole;

    @Override
    public Context filterContext(Context context) {
      return context.withValue(BODY, this);
    }

    /**
     * Begins to count.
     *
     * @param single whether one request is all that comes, which then is waited for from now on
     */
    synchronized void begin(String caller, RefusableCall<?, ?> call, boolean single) {
      this.part = memory.open(caller);
      this.call = call;
      this.awaited = single;
      pace.restart();
      open.add(this);
    }

    @Override
    public synchronized void inboundMessage(int number) {
      awaited = true;
      pace.restart();
    }

    @Override
    public synchronized void inboundWireSize(long bytes) {
      wire += bytes;
      pace.add(bytes);
      count();
    }

    /** Larger than what came if that was compressed. */
    @Override
    public synchronized void inboundUncompressedSize(long bytes) {
      unpacked += bytes;
      count();
    }

    private void count() {
      long more = Math.max(wire, unpacked) - counted;
      if (part != null && more > 0) {
        counted += more;
        if (!part.take(more, Duration.ZERO)) {
          cutOff(BUSY);
        }
      }
    }

    @Override
    public synchronized void inboundMessageRead(int number, long wireSize, long size) {
      awaited = false;
      unanswered.add(counted - whole);
      whole = counted;
    }

    @Override
    public synchronized void outboundMessage(int number) {
      Long answered = unanswered.poll();
      if (part != null && answered != null) {
        part.giveBack(answered);
      }
    }

    private synchronized void cutOffIfSlow() {
      if (pace.isTooSlow() && awaited) {
        cutOff(TOO_SLOW);
      }
    }

    private void cutOff(Status status) {
      if (call != null) {
        call.refuse(status);
      }
    }

    @Override
    public synchronized void streamClosed(Status status) {
      open.remove(this);
      if (part != null) {
        part.close();
      }
    }
  }
}
