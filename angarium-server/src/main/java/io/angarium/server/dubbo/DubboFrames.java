package io.angarium.server.dubbo;

import io.angarium.TimeSource;
import io.angarium.server.bodies.BodyMemory;
import io.angarium.server.bodies.Pace;
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
 * Follows the frames that come on one connection of Dubbo, without keeping them: counts what each
 * takes of the memory as it comes, and closes the connection for bytes that are no frame, for a
 * frame that is too large, and for one that comes too slowly or not at all. A frame for which there
 * is no room waits, and so does its sender. Called by the thread of the connection but where it
 * says otherwise.
 */
public final class DubboFrames extends ChannelInboundHandlerAdapter {
  private static final Logger LOG = LoggerFactory.getLogger(DubboFrames.class);

  /** Dubbo's own limit of a request. */
  private static final int BODY_BYTES_MAX = 8 << 20;

  /** Frames that are not answered, so nobody would notice when they have been worked at. */
  private static final int UNANSWERED_BYTES_MAX = 64 << 10;

  /** What comes first on a connection, and what has been begun, has to come within that time. */
  static final Duration SILENCE_MAX = Duration.ofSeconds(10);

  /** How much more memory a request takes as objects. */
  private static final int WEIGHT = 2;

  /** What the largest request takes, but for its head. */
  public static final long MEMORY_BYTES_MAX = (long) WEIGHT * BODY_BYTES_MAX;

  private static final int HEAD_BYTES = 16;
  private static final short MAGIC = (short) 0xdabb;
  private static final int FLAG_AT = 2;
  private static final int ID_AT = 4;
  private static final int LENGTH_AT = 12;
  private static final int REQUEST = 0x80;
  private static final int TWO_WAY = 0x40;
  private static final int EVENT = 0x20;
  private static final long RETRY_MILLIS = 50;

  private final BodyMemory memory;
  private final String caller;
  private final Duration bodyTimeout;
  private final TimeSource time;
  private final Pace pace;
  private final ByteBuffer head = ByteBuffer.allocate(HEAD_BYTES);
  private final Deque<ByteBuf> waiting = new ArrayDeque<>();
  private final List<BodyMemory.Part> unanswered = new ArrayList<>();

  /** The frame that has begun and is not whole. */
  private BodyMemory.@Nullable Part current;

  private long bodyLeft;
  private long sinceNanos;
  private boolean framed;

  /** Requests that are whole and not worked at; shared by threads, as what follows. */
  private final Map<Long, Whole> whole = new HashMap<>();

  private final Map<Long, BodyMemory.Part> worked = new HashMap<>();

  /** What to do when nothing more begins; null while the connection is open, and afterwards. */
  private @Nullable Runnable over;

  /** A request that nobody works at yet. */
  private record Whole(BodyMemory.Part part, long sinceNanos) {}

  /**
   * @param caller who has sent what comes, for the memory
   * @param bodyTimeout until a frame that has begun is whole
   */
  DubboFrames(BodyMemory memory, String caller, Duration bodyTimeout, TimeSource time) {
    this.memory = memory;
    this.caller = caller;
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
    return current != null || !waiting.isEmpty();
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
      int from = next.readerIndex();
      String fault = follow(next);
      if (fault != null) {
        close(context, fault);
        return;
      }
      if (next.isReadable()) {
        awaitRoom(context);
        if (next.readerIndex() > from) { // perhaps the end of what has to be answered first
          handOn(context, next.retainedSlice(from, next.readerIndex() - from));
        }
        return;
      }
      waiting.remove();
      handOn(context, next.readerIndex(from));
    }
    resume(context);
  }

  private void awaitRoom(ChannelHandlerContext context) {
    context.channel().config().setAutoRead(false);
    var unused =
        context
            .executor()
            .schedule(() -> takeWaiting(context), RETRY_MILLIS, TimeUnit.MILLISECONDS);
  }

  private void handOn(ChannelHandlerContext context, ByteBuf bytes) {
    context.fireChannelRead(bytes);
    unanswered.forEach(BodyMemory.Part::close);
    unanswered.clear();
  }

  /** Reads as far as there is room. Says what is wrong, or null. */
  private @Nullable String follow(ByteBuf bytes) {
    while (bytes.isReadable()) {
      BodyMemory.Part frame = current == null ? begun() : current;
      long left = head.hasRemaining() ? head.remaining() : bodyLeft;
      int part = (int) Math.min(left, bytes.readableBytes());
      if (!frame.take((long) WEIGHT * part, Duration.ZERO)) {
        return null;
      }
      String fault = null;
      if (head.hasRemaining()) {
        fault = followHead(frame, bytes, part);
      } else {
        bytes.skipBytes(part);
        bodyLeft -= part;
      }
      if (fault == null && !head.hasRemaining() && bodyLeft == 0) {
        fault = end(frame);
      }
      if (fault != null) {
        return fault;
      }
    }
    return null;
  }

  private BodyMemory.Part begun() {
    begin();
    current = memory.open(caller);
    current.expect(MEMORY_BYTES_MAX); // until its head says it
    return current;
  }

  private void begin() {
    sinceNanos = time.nanoTime();
    pace.restart();
  }

  private @Nullable String followHead(BodyMemory.Part frame, ByteBuf bytes, int part) {
    for (int i = 0; i < part; i++) {
      head.put(bytes.readByte());
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
    frame.expect(Math.min(WEIGHT * (HEAD_BYTES + bodyLeft), MEMORY_BYTES_MAX));
    return null;
  }

  /** Whether it is a request whose caller gets an answer; not a heartbeat. */
  private boolean isAnswered() {
    return (head.get(FLAG_AT) & (REQUEST | TWO_WAY | EVENT)) == (REQUEST | TWO_WAY);
  }

  private @Nullable String end(BodyMemory.Part frame) {
    framed = true;
    frame.arrived();
    long id = head.getLong(ID_AT);
    boolean answered = isAnswered();
    head.clear();
    current = null;
    if (!answered) {
      unanswered.add(frame);
      return null;
    }
    synchronized (whole) {
      if (whole.containsKey(id) || worked.containsKey(id)) {
        frame.close();
        return "two requests under way had one id";
      }
      whole.put(id, new Whole(frame, time.nanoTime()));
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
        worked.put(id, request.part());
        endIfOver();
      }
    }
  }

  /** The work at a request has ended. By any thread. */
  void ends(long id) {
    synchronized (whole) {
      BodyMemory.Part part = worked.remove(id);
      if (part != null) {
        part.close();
      }
    }
  }

  /** A request is answered; perhaps nobody worked at it. By any thread. */
  void answered(long id) {
    synchronized (whole) {
      Whole request = whole.remove(id);
      if (request != null) {
        request.part().close();
        endIfOver();
      }
    }
  }

  /**
   * The connection is closed. What is whole keeps its memory until it has been worked at.
   *
   * @param over runs once, when no more work begins; perhaps by another thread
   * @return whether it has run
   */
  boolean closed(Runnable over) {
    unanswered.forEach(BodyMemory.Part::close);
    if (current != null) {
      current.close();
      current = null;
    }
    synchronized (whole) {
      this.over = over;
      return endIfOver();
    }
  }

  /** No work begins any more. By any thread. */
  void forget() {
    synchronized (whole) {
      whole.values().forEach(each -> each.part().close());
      whole.clear();
      endIfOver();
    }
  }

  private boolean endIfOver() {
    Runnable last = over;
    if (last == null || !whole.isEmpty()) {
      return false;
    }
    over = null;
    last.run();
    return true;
  }
}
