package io.angarium.server;

import io.angarium.TimeSource;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.remoting.transport.AbstractChannelHandlerDelegate;
import org.jspecify.annotations.Nullable;

/**
 * Bounds what callers of the Dubbo port can take before anybody knows who they are: connections,
 * the {@link BodyMemory} of requests, and time. Thread-safe.
 */
final class DubboBounds {
  /** Dubbo's own handler behind its codec. */
  private static final String WORK = "handler";

  private final int connectionsMax;
  private final BodyMemory memory;
  private final Duration bodyTimeout;
  private final TimeSource time;
  private final AtomicInteger connections = new AtomicInteger();
  private final ConcurrentHashMap<SocketAddress, DubboFrames> open = new ConcurrentHashMap<>();

  /**
   * @param connectionsMax connections at a time; further ones are closed at once
   * @param bodyTimeout until a request that has begun is there
   */
  DubboBounds(int connectionsMax, BodyMemory memory, Duration bodyTimeout, TimeSource time) {
    this.connectionsMax = connectionsMax;
    this.memory = memory;
    this.bodyTimeout = bodyTimeout;
    this.time = time;
  }

  /** Connections that are open now. */
  int connections() {
    return connections.get();
  }

  /**
   * Makes ready a connection, or closes it.
   *
   * @param dubbo adds the handlers of Dubbo
   */
  ChannelHandler around(ChannelHandler dubbo) {
    return new ChannelInitializer<Channel>() {
      @Override
      protected void initChannel(Channel connection) {
        if (connections.incrementAndGet() > connectionsMax) {
          connections.decrementAndGet();
          var unused = connection.close();
          return;
        }
        admit(connection, dubbo);
      }
    };
  }

  private void admit(Channel connection, ChannelHandler dubbo) {
    SocketAddress remote = connection.remoteAddress();
    DubboFrames frames = new DubboFrames(memory.open(host(remote)), bodyTimeout, time);
    open.put(remote, frames);
    var unused =
        connection
            .closeFuture()
            .addListener(
                closed -> {
                  open.remove(remote, frames);
                  frames.closed();
                  connections.decrementAndGet();
                });
    connection
        .pipeline()
        .addLast("bounds", frames)
        .addLast(dubbo)
        .addBefore(WORK, "answers", new DubboAnswers(frames));
  }

  /** Callers are told apart by it, as with HTTP's are by their keys. */
  private static String host(@Nullable SocketAddress remote) {
    return remote instanceof InetSocketAddress address && address.getAddress() != null
        ? "dubbo " + address.getAddress().getHostAddress()
        : "dubbo";
  }

  /** Notes when the work at a request begins and ends, which another thread does. */
  org.apache.dubbo.remoting.ChannelHandler around(org.apache.dubbo.remoting.ChannelHandler work) {
    return new AbstractChannelHandlerDelegate(work) {
      @Override
      public void received(org.apache.dubbo.remoting.Channel connection, Object message)
          throws RemotingException {
        DubboFrames frames = open.get(connection.getRemoteAddress());
        if (frames == null || !(message instanceof Request request)) {
          super.received(connection, message);
          return;
        }
        frames.begins(request.getId());
        try {
          super.received(connection, message);
        } finally {
          frames.ends(request.getId());
        }
      }
    };
  }
}
