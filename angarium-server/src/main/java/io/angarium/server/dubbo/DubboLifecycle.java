package io.angarium.server.dubbo;

import io.angarium.dubbo.DubboServer;
import io.angarium.dubbo.HalfMessageService;
import io.angarium.dubbo.TrustMessageService;
import io.angarium.half.HalfMessages;
import io.angarium.server.calls.OtherWay;
import io.angarium.server.settings.DubboProperties;
import io.angarium.server.settings.ServerProperties;
import io.angarium.spring.operate.RelayLifecycle;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/**
 * Offers half messages, and TrustMessage's calls, over Dubbo while the server runs, if it shall.
 * Thread-safe.
 */
public final class DubboLifecycle implements SmartLifecycle, OtherWay {
  private static final Logger LOG = LoggerFactory.getLogger(DubboLifecycle.class);

  private final DubboProperties properties;
  private final @Nullable HalfMessageService half;
  private final HalfMessages trustMessage;
  private final DubboBounds bounds;
  private @Nullable DubboServer running;

  /**
   * @param half asks its callers who they are; null if nobody could say it
   * @param trustMessage what TrustMessage's callers, who are not asked, may use
   */
  DubboLifecycle(
      DubboProperties properties,
      @Nullable HalfMessageService half,
      HalfMessages trustMessage,
      DubboBounds bounds) {
    this.properties = properties;
    this.half = half;
    this.trustMessage = trustMessage;
    this.bounds = bounds;
  }

  @Override
  public synchronized void start() {
    if (!properties.enabled() || running != null) {
      return;
    }
    DubboServer server =
        DubboServer.open(
                properties.application(),
                protocol(),
                properties.registries().stream().map(RegistryConfig::new).toList())
            .share(bounds);
    try {
      running = offered(server);
    } catch (RuntimeException e) {
      server.close();
      throw new IllegalStateException(
          "Half messages cannot be offered over Dubbo at %s, set by %s.dubbo.host, port and registries: %s"
              .formatted(address(), ServerProperties.PREFIX, e),
          e);
    }
    LOG.info("{}", words());
  }

  /** What is offered, in words. */
  public String words() {
    if (half == null) {
      return "TrustMessage's calls are offered over Dubbo at %s; half messages are not, as over Dubbo they want an API key or a token, set by %2$s.api-keys or %2$s.oauth2"
          .formatted(address(), ServerProperties.PREFIX);
    }
    return "Half messages%s are offered over Dubbo at %s"
        .formatted(
            properties.trustMessage().enabled() ? " and TrustMessage's calls" : "", address());
  }

  private DubboServer offered(DubboServer server) {
    if (half != null) {
      server.offer(half);
    }
    return properties.trustMessage().enabled()
        ? server.offer(new TrustMessageService(trustMessage, properties.forwardTransport()))
        : server;
  }

  private ProtocolConfig protocol() {
    ProtocolConfig protocol = new ProtocolConfig("dubbo", properties.port());
    protocol.setHost(listening(properties.host()));
    protocol.setThreads(properties.threads());
    protocol.setServer(BoundedDubboTransporter.EXTENSION);
    return protocol;
  }

  /**
   * Returns the address in the form that Dubbo needs. Dubbo listens at every address if the text
   * looks like loopback, but it takes the address as it is if it is given as a number.
   */
  private static String listening(String host) {
    try {
      InetAddress address = InetAddress.getByName(host);
      return address instanceof Inet4Address && address.isLoopbackAddress()
          ? String.valueOf(ByteBuffer.wrap(address.getAddress()).getInt())
          : address.getHostAddress();
    } catch (UnknownHostException e) {
      throw new IllegalStateException("Unknown host " + host, e); // the faults tell it before
    }
  }

  @Override
  public String name() {
    return "Dubbo";
  }

  @Override
  public String address() {
    return properties.host() + ":" + properties.port();
  }

  @Override
  public synchronized void stop() {
    DubboServer server = running;
    if (server != null) {
      running = null;
      server.close();
    }
  }

  @Override
  public synchronized boolean isRunning() {
    return running != null;
  }

  /** Before the relay stops, and the data source after that. */
  @Override
  public int getPhase() {
    return RelayLifecycle.PHASE + 1;
  }
}
