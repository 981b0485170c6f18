package io.angarium.spring.autoconfigure;

import static io.angarium.spring.autoconfigure.PropertyMapping.or;

import io.angarium.dubbo.DubboHalfConfig;
import io.angarium.half.TokenSource;
import org.jspecify.annotations.Nullable;

/** Maps the properties of half messages over Dubbo; apart, as the module need not be present. */
final class HalfDubboMapping {
  private HalfDubboMapping() {}

  static DubboHalfConfig server(AngariumProperties.HalfDubbo given, @Nullable TokenSource token) {
    DubboHalfConfig standard = DubboHalfConfig.of("dubbo://localhost");
    return new DubboHalfConfig(
        or(given.server(), "null"),
        given.apiKey(),
        token,
        or(given.application(), standard.application()),
        or(given.connectTimeout(), standard.connect()),
        or(given.timeout(), standard.answer()),
        standard.limits());
  }
}
