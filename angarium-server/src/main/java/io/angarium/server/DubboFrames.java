package io.angarium.server;

import io.angarium.TimeSource;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the frames that come on one connection of Dubbo, without keeping them: counts what they
 * take of the memory as it comes, and closes the connection for bytes that are no frame, for a
 * frame that is too large, and for one that comes too slowly or not at all. A frame for which there
 * is no room waits, and so does its sender. Called by the thread of the connection but where it
 * says otherwise.
 */
final class DubboFrames extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(DubboFrames.class);

  /** Dubbo's own limit of a request. */
  private static final int BODY_BYTES_MAX = 8 << 20;

  /** Frames that are not answered, so nobody would notice when they have been worked at. */
  private static final int UNANSWERED_BYTES_MAX = 64 << 10;

  /** What comes first on a connection, and what has been begun, has to come within that time. */
  private static final Duration SILENCE_MAX = Duration.ofSeconds(10);

  /** How much more memory a request takes as objects. */
  private static final int WEIGHT = 2;

  /** What the largest request takes. */
  static final long MEMORY_BYTES_MAX = (long) WEIGHT * BODY_BYTES_MAX;

  private static final int HEAD_BYTES = 16;
  private static final short MAGIC = (short) 0xdabb;
  private static final int FLAG_AT = 2;
  private static final int ID_AT = 4;
  private static final int LENGTH_AT = 12;
  private static final int REQUEST = 0x80;
  private static final int TWO_WAY = 0x40;
  private static final int EVENT = 0x20;
  private static final long RETRY_MILLIS = 50;

  private final BodyMemory.Part memory;
  private final Duration bodyTimeout;
  private final TimeSource time;
  private final Pace pace;
  private final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
  private final Deque<ByteBuf> waiting = new ArrayDeque<>();
  private final List<Long> unanswered = new ArrayList<>();

  /** Bytes of the requests that are whole and not worked at; shared by threads, as what follows. */
  private final Map<Long, Whole> whole = new HashMap<>();

  private final Map<Long, Long> worked = new HashMap<>();
  private boolean closed;

  /** A request that nobody works at yet. */
  private record Whole(long taken, long sinceNanos) {}

  private long bodyLeft;
  private long frameBytes;
  private long sinceNanos;
  private boolean framed;

  /**
   * @param memory of this connection
   * @param bodyTimeout until a frame that has begun is whole
   */
  DubboFrames(BodyMemory.Part memory, Duration bodyTimeout, TimeSource time) {
    this.memory = memory;
    this.bodyTimeout = bodyTimeout;
    this.time = time;
    this.pace = new Pace(time);
    this.sinceNanos = time.nanoTime();
  }

  @Override
  public void handlerAdded(ChannelHandlerContext context) {
    var sweep =
        context.executor().scheduleWithFixedDelay(() -> sweep(context), 1, 1, TimeUnit.SECONDS);
    var unused = context.channel().closeFuture().addListener(over -> sweep.cancel(false));
  }

  private void sweep(ChannelHandlerContext context) {
    Duration since = Duration.ofNanos(time.nanoTime() - sinceNanos);
    if (isWithin()) {
      boolean slow = pace.isTooSlow();
      if (slow || since.compareTo(bodyTimeout) > 0) {
        close(
            context, waiting.isEmpty() ? "a frame came too slowly" : "no memory was free in time");
      }
    } else if (!framed && since.compareTo(SILENCE_MAX) > 0) {
      close(context, "no frame came");
    } else if (isForgotten()) {
      close(context, "nobody worked at a request");
    }
  }

  /** Dubbo begins at once, or answers that it has no thread; it passes over some nonsense. */
  private boolean isForgotten() {
    long now = time.nanoTime();
    synchronized (whole) {
      return whole.values().stream()
          .anyMatch(each -> now - each.sinceNanos() > SILENCE_MAX.toNanos());
    }
  }

  /** Whether a frame has begun that is not whole. */
  private boolean isWithin() {
    return head.position() > 0 || !waiting.isEmpty();
  }

  @Override
  public void channelRead(ChannelHandlerContext context, Object message) {
    if (!(message instanceof ByteBuf bytes)) {
      context.fireChannelRead(message);
      return;
    }
    if (!isWithin()) {
      begin();
    }
    pace.add(bytes.readableBytes());
    waiting.add(bytes);
    if (waiting.size() == 1) {
      takeWaiting(context);
    }
  }

  private void takeWaiting(ChannelHandlerContext context) {
    while (!waiting.isEmpty() && context.channel().isActive()) {
      ByteBuf next = waiting.element();
      if (!memory.take((long) WEIGHT * next.readableBytes(), Duration.ZERO)) {
        context.channel().config().setAutoRead(false);
        var unused =
            context
                .executor()
                .schedule(() -> takeWaiting(context), RETRY_MILLIS, TimeUnit.MILLISECONDS);
        return;
      }
      waiting.remove();
      take(context, next);
    }
    resume(context);
  }

  private void take(ChannelHandlerContext context, ByteBuf bytes) {
    String fault = follow(bytes.nioBuffer());
    if (fault != null) {
      bytes.release();
      close(context, fault);
      return;
    }
    context.fireChannelRead(bytes);
    unanswered.forEach(memory::giveBack);
    unanswered.clear();
  }

  /** Says what is wrong, or null. */
  private @Nullable String follow(ByteBuffer bytes) {
    while (bytes.hasRemaining()) {
      if (head.position() == 0) {
        begin();
      }
      String fault = head.hasRemaining() ? followHead(bytes) : followBody(bytes);
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private void begin() {
    frameBytes = 0;
    sinceNanos = time.nanoTime();
    pace.restart();
  }

  private @Nullable String followHead(ByteBuffer bytes) {
    while (head.hasRemaining() && bytes.hasRemaining()) {
      head.put(bytes.get());
      frameBytes++;
    }
    if (head.position() >= Short.BYTES && head.getShort(0) != MAGIC) {
      return "bytes came that are no frame";
    }
    if (head.hasRemaining()) {
      return null;
    }
    bodyLeft = head.getInt(LENGTH_AT);
    if (bodyLeft < 0 || bodyLeft > (isAnswered() ? BODY_BYTES_MAX : UNANSWERED_BYTES_MAX)) {
      return "a frame was announced with %d bytes".formatted(bodyLeft);
    }
    return bodyLeft == 0 ? end() : null;
  }

  private @Nullable String followBody(ByteBuffer bytes) {
    int part = (int) Math.min(bodyLeft, bytes.remaining());
    bytes.position(bytes.position() + part);
    bodyLeft -= part;
    frameBytes += part;
    return bodyLeft == 0 ? end() : null;
  }

  /** Whether it is a request whose caller gets an answer; not a heartbeat. */
  private boolean isAnswered() {
    return (head.get(FLAG_AT) & (REQUEST | TWO_WAY | EVENT)) == (REQUEST | TWO_WAY);
  }

  private @Nullable String end() {
    framed = true;
    long taken = WEIGHT * frameBytes;
    long id = head.getLong(ID_AT);
    boolean answered = isAnswered();
    head.clear();
    if (!answered) {
      unanswered.add(taken);
      return null;
    }
    synchronized (whole) {
      if (whole.containsKey(id) || worked.containsKey(id)) {
        return "two requests under way had one id";
      }
      whole.put(id, new Whole(taken, time.nanoTime()));
    }
    return null;
  }

  private void close(ChannelHandlerContext context, String reason) {
    LOG.debug(
        "The connection of {} over Dubbo was closed: {}",
        context.channel().remoteAddress(),
        reason);
    var unused = context.close();
  }

  /** Does not read on for somebody who does not read answers. */
  @Override
  public void channelWritabilityChanged(ChannelHandlerContext context) {
    resume(context);
    context.fireChannelWritabilityChanged();
  }

  private void resume(ChannelHandlerContext context) {
    context.channel().config().setAutoRead(waiting.isEmpty() && context.channel().isWritable());
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext context) {
    waiting.forEach(ByteBuf::release);
    waiting.clear();
  }

  /** The work at a request begins. By any thread. */
  void begins(long id) {
    synchronized (whole) {
      Whole request = whole.remove(id);
      if (request != null) {
        worked.put(id, request.taken());
      }
    }
  }

  /** The work at a request has ended. By any thread. */
  void ends(long id) {
    synchronized (whole) {
      giveBack(worked.remove(id));
    }
  }

  /** A request is answered; perhaps nobody worked at it. By any thread. */
  void answered(long id) {
    synchronized (whole) {
      Whole request = whole.remove(id);
      giveBack(request == null ? null : request.taken());
    }
  }

  private void giveBack(@Nullable Long taken) {
    if (taken != null) {
      memory.giveBack(taken);
    }
    if (closed && worked.isEmpty()) {
      memory.close();
    }
  }

  /** The connection is closed; what is worked at keeps its memory. By any thread. */
  void closed() {
    synchronized (whole) {
      closed = true;
      whole.clear();
      memory.keep(worked.values().stream().mapToLong(Long::longValue).sum());
      giveBack(null);
    }
  }
}
