package io.angarium.server.dubbo;

import io.netty.bootstrap.ServerBootstrap;
import org.apache.dubbo.common.URL;
import org.apache.dubbo.remoting.ChannelHandler;
import org.apache.dubbo.remoting.RemotingException;
import org.apache.dubbo.remoting.RemotingServer;
import org.apache.dubbo.remoting.transport.netty4.NettyServer;
import org.apache.dubbo.remoting.transport.netty4.NettyServerHandler;
import org.apache.dubbo.remoting.transport.netty4.NettyTransporter;

/**
 * Dubbo's network with the {@link DubboBounds} of its application. Dubbo finds it by its name and
 * creates it. Thread-safe.
 */
public final class BoundedDubboTransporter extends NettyTransporter {
  /** How Dubbo finds it. */
  static final String EXTENSION = "angarium-bounded";

  /** Creates one, for Dubbo. */
  public BoundedDubboTransporter() {}

  @Override
  public RemotingServer bind(URL url, ChannelHandler handler) throws RemotingException {
    return new BoundedServer(url, bounds(url).around(handler));
  }

  private static DubboBounds bounds(URL url) {
    return url.getOrDefaultApplicationModel().getBeanFactory().getBean(DubboBounds.class);
  }

  /** Dubbo's server; listens while its constructor runs. */
  private static final class BoundedServer extends NettyServer {
    BoundedServer(URL url, ChannelHandler handler) throws RemotingException {
      super(url, handler);
    }

    @Override
    protected void initServerBootstrap(NettyServerHandler handler) {
      super.initServerBootstrap(handler);
      ServerBootstrap bootstrap = getServerBootstrap();
      bootstrap.childHandler(bounds(getUrl()).around(bootstrap.config().childHandler()));
    }
  }
}
