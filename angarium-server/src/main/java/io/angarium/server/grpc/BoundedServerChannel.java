package io.angarium.server.grpc;

import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A listening port of gRPC that closes connections beyond so many at once, at most half of them of
 * one address: a connection that never makes a call is closed late.
 */
final class BoundedServerChannel extends NioServerSocketChannel {
  private final int connectionsMax;
  private final Map<InetAddress, Integer> byAddress = new HashMap<>();
  private int connections;

  BoundedServerChannel(int connectionsMax) {
    this.connectionsMax = connectionsMax;
  }

  @Override
  protected int doReadMessages(List<Object> accepted) throws Exception {
    int read = super.doReadMessages(accepted);
    if (read > 0 && accepted.get(accepted.size() - 1) instanceof SocketChannel last) {
      InetAddress address = last.remoteAddress() == null ? null : last.remoteAddress().getAddress();
      if (address == null || !enter(address)) { // no address: it has gone already
        accepted.remove(accepted.size() - 1);
        last.unsafe().closeForcibly();
        return 0;
      }
      var unused = last.closeFuture().addListener(closed -> leave(address));
    }
    return read;
  }

  private boolean enter(InetAddress address) {
    synchronized (byAddress) {
      int before = byAddress.getOrDefault(address, 0);
      if (connections >= connectionsMax || before >= Math.max(1, connectionsMax / 2)) {
        return false;
      }
      connections++;
      byAddress.put(address, before + 1);
      return true;
    }
  }

  private void leave(InetAddress address) {
    synchronized (byAddress) {
      connections--;
      byAddress.computeIfPresent(address, (same, count) -> count == 1 ? null : count - 1);
    }
  }
}
