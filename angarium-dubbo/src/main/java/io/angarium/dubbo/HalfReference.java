package io.angarium.dubbo;

import io.angarium.half.internal.remote.DubboAddress;
import org.apache.dubbo.config.ReferenceConfig;
import org.apache.dubbo.rpc.model.ModuleModel;

/** A connection to servers of half messages. Thread-safe. */
final class HalfReference implements AutoCloseable {
  private final ReferenceConfig<HalfMessageService> config;

  HalfReference(ModuleModel module, DubboAddress address, DubboHalfConfig settings) {
    int millis = Math.toIntExact(settings.answer().toMillis());
    int connectMillis = Math.toIntExact(settings.connect().toMillis());
    config = new ReferenceConfig<>(module);
    config.setInterface(HalfMessageService.class);
    Reference.place(config, address, millis, connectMillis);
  }

  /** What calls go to. Blocks for a connection at the first time. */
  HalfMessageService service() {
    return config.get();
  }

  @Override
  public void close() {
    config.destroy();
  }
}
