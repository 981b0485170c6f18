package io.angarium.dubbo;

import io.angarium.testservers.FreePort;
import java.util.List;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;

/**
 * Dubbo on 127.0.0.1 alone. It takes every text that begins with 127 for "everywhere", and the
 * number of the address for what it is.
 */
final class Loopback {
  static final String HOST = "2130706433";

  private final int port = freePort();
  private final ProtocolConfig protocol;

  Loopback() {
    this("dubbo");
  }

  Loopback(String name) {
    protocol = new ProtocolConfig(name, port);
    protocol.setHost(HOST);
    protocol.setThreads(20);
  }

  static int freePort() {
    return FreePort.find();
  }

  ProtocolConfig protocol() {
    return protocol;
  }

  String address() {
    return protocol.getName() + "://" + HOST + ":" + port;
  }

  DubboServer open() {
    return open(List.of());
  }

  /** At the same port, after the one before was closed. */
  DubboServer again() {
    ProtocolConfig same = new ProtocolConfig(protocol.getName(), port);
    same.setHost(HOST);
    same.setThreads(20);
    return DubboServer.open("tests", same, List.of());
  }

  DubboServer open(List<RegistryConfig> registries) {
    return DubboServer.open("tests", protocol, registries);
  }
}
