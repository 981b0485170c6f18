package io.angarium.dubbo;

import com.example.trustmessage.middlewareapi.service.MessageService;
import com.example.trustmessage.middlewareapi.service.VerifyMessageService;
import java.util.List;
import org.apache.dubbo.config.ProtocolConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.config.ServiceConfig;

/**
 * Offers services over Dubbo until it is closed, for applications that do not use Dubbo already:
 *
 * <pre>{@code
 * DubboServer server = DubboServer.open("message-centre", new ProtocolConfig("dubbo", 20880), registries);
 * server.offer(new TrustMessageService(half, "kafka"));
 * }</pre>
 *
 * An application that does exports the services as its others. Dubbo listens on all addresses
 * unless the host of the protocol is one of the machine's that is not loopback; it asks nobody who
 * they are. Thread-safe.
 */
public final class DubboServer implements AutoCloseable {
  private final DubboApplication application;
  private final ProtocolConfig protocol;
  private final List<RegistryConfig> registries;

  private DubboServer(
      DubboApplication application, ProtocolConfig protocol, List<RegistryConfig> registries) {
    this.application = application;
    this.protocol = protocol;
    this.registries = registries;
  }

  /**
   * Opens one; the port is taken by the first service.
   *
   * @param name how registries know the application
   * @param protocol name, port and settings; belongs to the server from now on
   * @param registries where the services are announced; empty for nowhere
   */
  public static DubboServer open(
      String name, ProtocolConfig protocol, List<RegistryConfig> registries) {
    List<RegistryConfig> announced = List.copyOf(registries);
    if (protocol.getSerialization() == null) {
      protocol.setSerialization("fastjson2"); // then clients with hessian2 are understood as well
    }
    return new DubboServer(DubboApplication.open(name), protocol, announced);
  }

  /**
   * Makes an object available to extensions of Dubbo, which get it from the bean factory of their
   * application by its class. Before the first service is offered.
   */
  public DubboServer share(Object shared) {
    application.share(shared);
    return this;
  }

  /**
   * Offers the three calls to TrustMessage's clients.
   *
   * @throws RuntimeException of Dubbo, if the port is taken or a registry cannot be reached
   */
  public DubboServer offer(MessageService service) {
    return offer(MessageService.class, service, TrustMessageService.VERSION);
  }

  /**
   * Offers half messages to clients of ours, {@link DubboHalfMessages}, and to generic ones.
   *
   * @throws RuntimeException of Dubbo, if the port is taken or a registry cannot be reached
   */
  public DubboServer offer(HalfMessageService service) {
    return offer(HalfMessageService.class, service, HalfMessageService.VERSION);
  }

  /**
   * Offers answers to check-backs, on the producer's side.
   *
   * @param version under which producers name it in their messages, e.g. {@code 1.0.0}
   * @throws RuntimeException of Dubbo, if the port is taken or a registry cannot be reached
   */
  public DubboServer offer(VerifyMessageService service, String version) {
    return offer(VerifyMessageService.class, service, version);
  }

  private <T> DubboServer offer(Class<T> type, T service, String version) {
    return application.call(() -> export(type, service, version));
  }

  private <T> DubboServer export(Class<T> type, T service, String version) {
    ServiceConfig<T> config = new ServiceConfig<>(application.module());
    config.setInterface(type);
    config.setRef(service);
    config.setVersion(version);
    config.setProtocol(protocol);
    config.setRegistries(
        registries.isEmpty()
            ? List.of(new RegistryConfig(RegistryConfig.NO_AVAILABLE))
            : registries);
    config.export();
    return this;
  }

  /** Withdraws the services and gives the port back. May be called twice. */
  @Override
  public void close() {
    application.close();
  }
}
