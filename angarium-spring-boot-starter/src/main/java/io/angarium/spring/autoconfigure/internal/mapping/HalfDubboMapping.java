package io.angarium.spring.autoconfigure.internal.mapping;

import static io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping.or;

import io.angarium.dubbo.DubboHalfConfig;
import io.angarium.half.TokenSource;
import io.angarium.spring.settings.AngariumProperties;
import org.jspecify.annotations.Nullable;

/** Maps the properties of half messages over Dubbo; apart, as the module need not be present. */
public final class HalfDubboMapping {
  private HalfDubboMapping() {}

  public static DubboHalfConfig server(
      AngariumProperties.HalfDubbo given, @Nullable TokenSource token) {
    DubboHalfConfig standard = DubboHalfConfig.of("dubbo://localhost");
    return new DubboHalfConfig(
        or(given.server(), "null"),
        given.apiKey(),
        token,
        or(given.application(), standard.application()),
        standard.connect(),
        or(given.timeout(), standard.answer()),
        standard.limits());
  }
}
