package io.angarium.server.dubbo;

import io.angarium.TimeSource;
import io.angarium.server.bodies.BodyMemory;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelInitializer;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.exchange.Request;
import org.apache.dubbo.remoting.transport.AbstractChannelHandlerDelegate;

/**
 * Bounds what callers of the Dubbo port can take before anybody knows who they are: connections,
 * the {@link BodyMemory} of requests, and time. Thread-safe.
 */
public final class DubboBounds {
  /** Dubbo's own handler behind its codec. */
  private static final String WORK = "handler";

  private final int connectionsMax;
  private final BodyMemory memory;
  private final Duration bodyTimeout;
  private final TimeSource time;

  /** Connections that are open, or closed with requests that wait for their thread. */
  private final ConcurrentHashMap<SocketAddress, DubboFrames> open = new ConcurrentHashMap<>();

  /** How many of them each host has. */
  private final Map<String, Integer> byHost = new HashMap<>();

  /**
   * @param connectionsMax connections at a time, at most half of them of one host; further ones are
   *     closed at once
   * @param bodyTimeout until a request that has begun is there
   */
  DubboBounds(int connectionsMax, BodyMemory memory, Duration bodyTimeout, TimeSource time) {
    this.connectionsMax = connectionsMax;
    this.memory = memory;
    this.bodyTimeout = bodyTimeout;
    this.time = time;
  }

  /** Connections that are open now, or not over yet. */
  public int connections() {
    return open.size();
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
        SocketAddress remote = connection.remoteAddress();
        if (remote == null) { // it is closed already
          return;
        }
        String host = host(remote);
        DubboFrames frames = new DubboFrames(memory, host, bodyTimeout, time);
        if (!enter(remote, host, frames)) {
          var unused = connection.close();
          return;
        }
        leaveWhenClosed(connection, remote, host, frames);
        connection
            .pipeline()
            .addLast("bounds", frames)
            .addLast(dubbo)
            .addBefore(WORK, "answers", new DubboAnswers(frames));
      }
    };
  }

  private boolean enter(SocketAddress remote, String host, DubboFrames frames) {
    synchronized (byHost) {
      int ofHost = byHost.getOrDefault(host, 0);
      if (open.size() >= connectionsMax
          || ofHost >= Math.max(1, connectionsMax / 2)
          || open.putIfAbsent(remote, frames) != null) {
        return false;
      }
      byHost.put(host, ofHost + 1);
      return true;
    }
  }

  private void leaveWhenClosed(
      Channel connection, SocketAddress remote, String host, DubboFrames frames) {
    Runnable over = () -> leave(remote, host);
    var unused = connection.closeFuture().addListener(closed -> end(connection, frames, over));
  }

  private static void end(Channel connection, DubboFrames frames, Runnable over) {
    if (!frames.closed(over)) {
      long seconds = DubboFrames.SILENCE_MAX.toSeconds();
      var unused = connection.eventLoop().schedule(frames::forget, seconds, TimeUnit.SECONDS);
    }
  }

  private void leave(SocketAddress remote, String host) {
    synchronized (byHost) {
      open.remove(remote);
      byHost.computeIfPresent(host, (key, count) -> count == 1 ? null : count - 1);
    }
  }

  /** Callers are told apart by it, as HTTP's are by their keys. */
  private static String host(SocketAddress remote) {
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
