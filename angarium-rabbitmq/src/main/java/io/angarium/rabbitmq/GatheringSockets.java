package io.angarium.rabbitmq;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import javax.net.SocketFactory;

/** Makes the sockets that RabbitMQ's client connects. Thread-safe. */
final class GatheringSockets extends SocketFactory {
  private static final SocketFactory OTHERS = SocketFactory.getDefault();

  /** One that is not connected: the client asks for no others. */
  @Override
  public Socket createSocket() {
    return new GatheringSocket();
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return OTHERS.createSocket(host, port);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return OTHERS.createSocket(host, port, local, localPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return OTHERS.createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return OTHERS.createSocket(host, port, local, localPort);
  }
}
