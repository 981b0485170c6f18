package io.angarium.server.grpc;

import io.angarium.TimeSource;
import io.angarium.internal.DurationText;
import io.angarium.server.bodies.BodyMemory;
import io.angarium.server.bodies.Pace;
import io.angarium.server.settings.ServerProperties;
import io.grpc.Context;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerStreamTracer;
import io.grpc.Status;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Counts what requests over gRPC take of the {@link BodyMemory}, byte by byte as they come, and
 * cuts off those that have no room or come too slowly. Calls are refused outside the lock of their
 * body: an answer on its way holds the lock of its call and then waits for that of the body.
 * Thread-safe.
 */
public final class GrpcBodies extends ServerStreamTracer.Factory {
  private static final Context.Key<Body> BODY = Context.key("io.angarium.server.body");

  /** How much more memory a list of calls or keys takes as objects. */
  static final int LIST_WEIGHT = 2;

  /** Methods whose requests hold one call each; a payload takes as much memory as its bytes. */
  private static final Set<String> OF_ONE_CALL = Set.of("Prepare", "Commit", "Rollback", "Check");

  private static final Status BUSY =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "the server has as many requests in memory as it takes, of all callers or of this one;"
              + " come again. What was not answered may have taken effect: repeat it");
  private static final Status TOO_LARGE =
      Status.RESOURCE_EXHAUSTED.withDescription(
          "the requests of this call that are not answered take more bytes than one call may;"
              + " send fewer at a time. What was not answered may have taken effect: repeat it");

  private final BodyMemory memory;
  private final long bytesMax;
  private final Duration timeout;
  private final Status tooSlow;
  private final TimeSource time;
  private final Set<Body> open = ConcurrentHashMap.newKeySet();

  /**
   * @param bytesMax of the requests of one call that are not answered
   * @param timeout until a request is there
   */
  public GrpcBodies(BodyMemory memory, long bytesMax, Duration timeout, TimeSource time) {
    this.memory = memory;
    this.bytesMax = bytesMax;
    this.timeout = timeout;
    this.time = time;
    this.tooSlow =
        Status.CANCELLED.withDescription(
            "the request came too slowly: less than %d bytes in %s, or not all of it within %s (%s.body-timeout); nothing of it took effect"
                .formatted(
                    Pace.BYTES_MIN,
                    DurationText.of(Pace.WINDOW),
                    DurationText.of(timeout),
                    ServerProperties.PREFIX));
  }

  @Override
  public ServerStreamTracer newServerStreamTracer(String method, Metadata headers) {
    boolean one = OF_ONE_CALL.contains(method.substring(method.indexOf('/') + 1));
    return new Body(one ? 1 : LIST_WEIGHT);
  }

  /** That of the request that begins now; null where requests are not counted. */
  static @Nullable Body current() {
    return BODY.get();
  }

  /** To be called again and again. */
  public void cutOffSlow() {
    Set<SocketAddress> busy = new HashSet<>();
    open.stream().filter(Body::isHoldingUp).forEach(each -> busy.add(each.connection()));
    open.forEach(each -> each.cutOffIfSlow(busy.contains(each.connection())));
  }

  /** How many calls are counted now. */
  public int open() {
    return open.size();
  }

  /** What one call takes, be it a request or a stream of them. */
  public final class Body extends ServerStreamTracer {
    private static final SocketAddress NOWHERE = InetSocketAddress.createUnresolved("nowhere", 0);

    private final int weight;
    private final Pace pace = new Pace(time);
    private final Deque<Long> unanswered = new ArrayDeque<>();
    private BodyMemory.@Nullable Part part;
    private @Nullable RefusableCall<?, ?> call;
    private long limit = bytesMax;
    private boolean single;
    private boolean awaited;
    private boolean read;
    private boolean ended;
    private long awaitedSince;
    private long wire;
    private long unpacked;
    private long counted;
    private long whole;
    private long answered;

    private Body(int weight) {
      this.weight = weight;
    }

    @Override
    public Context filterContext(Context context) {
      return context.withValue(BODY, this);
    }

    /**
     * Begins to count, unless the call has ended meanwhile.
     *
     * @param single whether one request is all that comes, which then is waited for from now on
     * @param limit of its requests that are not answered, in bytes, if that is less than for others
     */
    public void begin(String caller, RefusableCall<?, ?> call, boolean single, long limit) {
      refuse(begun(caller, call, single, limit));
    }

    private synchronized @Nullable Status begun(
        String caller, RefusableCall<?, ?> call, boolean single, long limit) {
      if (ended) {
        return null;
      }
      this.part = memory.open(caller);
      this.call = call;
      this.single = single;
      this.limit = Math.min(limit, bytesMax);
      open.add(this);
      if (single) {
        await();
      }
      return count();
    }

    private void await() {
      awaited = true;
      awaitedSince = time.nanoTime();
      pace.restart();
    }

    @Override
    public synchronized void inboundMessage(int number) {
      if (!single) {
        await();
      }
    }

    @Override
    public void inboundWireSize(long bytes) {
      refuse(came(bytes, 0));
    }

    /** Larger than what came if that was compressed. */
    @Override
    public void inboundUncompressedSize(long bytes) {
      refuse(came(0, bytes));
    }

    private synchronized @Nullable Status came(long packed, long plain) {
      wire += packed;
      unpacked += plain;
      pace.add(packed);
      return count();
    }

    private @Nullable Status count() {
      long more = Math.max(wire, unpacked) - counted;
      if (part == null || ended || more <= 0) {
        return null;
      }
      counted += more;
      if (counted - answered > limit) {
        return TOO_LARGE;
      }
      return part.take(weight * more, Duration.ZERO) ? null : BUSY;
    }

    /**
     * One that is alone is waited for until the client says that it is. No more bytes are expected
     * of it, and its listener may learn the end late: so its pace counts no longer.
     */
    @Override
    public synchronized void inboundMessageRead(int number, long wireSize, long size) {
      awaited = single;
      read = single;
      unanswered.add(counted - whole);
      whole = counted;
    }

    /** Nothing more comes. */
    synchronized void halfClosed() {
      awaited = false;
    }

    @Override
    public synchronized void outboundMessage(int number) {
      Long bytes = unanswered.poll();
      if (part != null && bytes != null) {
        answered += bytes;
        part.giveBack(weight * bytes);
      }
    }

    private synchronized SocketAddress connection() {
      SocketAddress address =
          call == null ? null : call.getAttributes().get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
      return address == null ? NOWHERE : address;
    }

    /** Whether it is a stream that is not read for now, which fills its connection's window. */
    private synchronized boolean isHoldingUp() {
      return !single && !unanswered.isEmpty();
    }

    private void cutOffIfSlow(boolean heldUp) {
      refuse(slowness(heldUp));
    }

    private synchronized @Nullable Status slowness(boolean heldUp) {
      if (!awaited) {
        return null;
      }
      if (heldUp) {
        await(); // anew: the time was ours
      }
      boolean late = time.nanoTime() - awaitedSince >= timeout.toNanos();
      return late || (!read && pace.isTooSlow()) ? tooSlow : null;
    }

    private void refuse(@Nullable Status status) {
      RefusableCall<?, ?> refused = status == null ? null : begunCall();
      if (status != null && refused != null) {
        refused.refuse(status);
      }
    }

    private synchronized @Nullable RefusableCall<?, ?> begunCall() {
      return call;
    }

    @Override
    public synchronized void streamClosed(Status status) {
      ended = true;
      open.remove(this);
      if (part != null) {
        part.close();
      }
    }
  }
}
