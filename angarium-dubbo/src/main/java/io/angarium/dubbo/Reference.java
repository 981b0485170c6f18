package io.angarium.dubbo;

import io.angarium.half.internal.remote.DubboAddress;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Pattern;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.config.RegistryConfig;
import org.apache.dubbo.rpc.model.ModuleModel;
import org.apache.dubbo.rpc.service.GenericService;

/** A producer that a connection is kept to, asked without its interface. Thread-safe. */
final class Reference implements AutoCloseable {
  private static final String[] TYPES = {Integer.class.getName(), String.class.getName()};
  private static final int CONNECT_MILLIS_MAX = 3_000;

  private final ReferenceConfig<GenericService> config;
  private final String method;

  Reference(ModuleModel module, DubboAddress address, DubboCheckBackConfig settings) {
    int millis = Math.toIntExact(settings.answer().toMillis());
    this.method = settings.method();
    config = new ReferenceConfig<>(module);
    config.setInterface(settings.service());
    config.setGeneric("true");
    place(config, address, millis, Math.min(millis, CONNECT_MILLIS_MAX));
  }

  /** Says where a service is, and how long is waited for it. */
  static void place(
      ReferenceConfig<?> config, DubboAddress address, int millis, int connectMillis) {
    config.setVersion(address.version().isEmpty() ? null : address.version());
    config.setGroup(address.group().isEmpty() ? null : address.group());
    config.setTimeout(millis);
    config.setRetries(0); // the caller asks again
    config.setCheck(false); // a producer that is away may come back
    config.setParameters(Map.of("connect.timeout", String.valueOf(connectMillis)));
    if (address.isRegistry()) {
      config.setRegistry(registry(address, millis));
    } else {
      config.setUrl(reached(address.origin()));
    }
  }

  private static final Pattern LOOPBACK = Pattern.compile("//(localhost|127\\.0\\.0\\.1)(?=:)");
  private static final String LOOPBACK_NUMBER = "//2130706433";

  /**
   * Returns the origin in the form that makes Dubbo connect to it. Dubbo replaces an address that
   * looks like loopback by the machine's address on the network. It takes an address in the form of
   * a number as it is.
   */
  private static String reached(String origin) {
    return LOOPBACK.matcher(origin).replaceFirst(LOOPBACK_NUMBER);
  }

  private static RegistryConfig registry(DubboAddress address, int millis) {
    RegistryConfig registry = new RegistryConfig();
    registry.setProtocol(address.scheme());
    registry.setAddress(String.join(",", address.places()));
    registry.setTimeout(millis);
    registry.setCheck(false);
    registry.setRegister(false); // only looks
    registry.setUseAsConfigCenter(false);
    registry.setUseAsMetadataCenter(false);
    return registry;
  }

  /**
   * Asks. Blocks for a connection at most.
   *
   * @return completed with whatever was answered
   */
  CompletableFuture<Object> ask(int business, String key) {
    return config.get().$invokeAsync(method, TYPES, new Object[] {business, key});
  }

  @Override
  public void close() {
    config.destroy();
  }
}
