package io.angarium.spring.autoconfigure.internal.mapping;

import static io.angarium.spring.autoconfigure.internal.mapping.PropertyMapping.or;

import io.angarium.MessageLimits;
import io.angarium.grpc.GrpcHalfConfig;
import io.angarium.grpc.GrpcHalfServer;
import io.angarium.half.TokenSource;
import io.angarium.spring.settings.AngariumProperties;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Maps the properties of half messages over gRPC; apart, as the module need not be present. */
public final class HalfGrpcMapping {
  private HalfGrpcMapping() {}

  public static GrpcHalfServer server(AngariumProperties.HalfGrpc given) {
    return new GrpcHalfServer(
        or(given.server(), "null"),
        file(given.trustedCertificates()),
        file(given.certificate()),
        file(given.privateKey()));
  }

  /** What checks them, each throwing what is wrong. */
  public static List<Runnable> checks(AngariumProperties.HalfGrpc given) {
    return List.of(
        () -> server(given).checkFiles(), () -> calls(given, MessageLimits.DEFAULTS, null));
  }

  private static @Nullable Path file(@Nullable String name) {
    return name == null ? null : Path.of(name);
  }

  /** With the token, if there is one, else with the API key. */
  public static GrpcHalfConfig calls(
      AngariumProperties.HalfGrpc given, MessageLimits limits, @Nullable TokenSource token) {
    GrpcHalfConfig standard = GrpcHalfConfig.DEFAULTS;
    GrpcHalfConfig calls = standard.timeout(or(given.timeout(), standard.timeout())).limits(limits);
    return token == null ? calls.apiKey(given.apiKey()) : calls.token(token);
  }
}
