package io.angarium.server;

import io.netty.channel.Channel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A listening port of gRPC that closes connections beyond so many at once. */
final class BoundedServerChannel extends NioServerSocketChannel {
  private final int connectionsMax;
  private final AtomicInteger connections = new AtomicInteger();

  BoundedServerChannel(int connectionsMax) {
    this.connectionsMax = connectionsMax;
  }

  @Override
  protected int doReadMessages(List<Object> accepted) throws Exception {
    int read = super.doReadMessages(accepted);
    if (read > 0 && accepted.get(accepted.size() - 1) instanceof Channel last) {
      if (connections.get() >= connectionsMax) {
        accepted.remove(accepted.size() - 1);
        last.unsafe().closeForcibly();
        return 0;
      }
      connections.incrementAndGet();
      var unused = last.closeFuture().addListener(closed -> connections.decrementAndGet());
    }
    return read;
  }
}
