package io.angarium.spring.autoconfigure.internal.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.angarium.spring.settings.AngariumProperties;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Which way to a server of half messages is taken, and what is wrong with that. */
class HalfWaysTest {
  private static AngariumProperties.Half half(Map<String, String> properties) {
    return new Binder(new MapConfigurationPropertySource(properties))
        .bindOrCreate("angarium.half", AngariumProperties.Half.class);
  }

  @Test
  void moduleThatIsMissingIsNamed() {
    AngariumProperties.Half grpc = half(Map.of("angarium.half.grpc.server", "grpc://centre:9090"));
    AngariumProperties.Half dubbo = half(Map.of("angarium.half.dubbo.server", "dubbo://centre"));

    assertThat(HalfWays.of(grpc, name -> !name.contains("grpc")))
        .containsExactly(
            "angarium.half.grpc.server: given (expected: none, or angarium-grpc on the class path)");
    assertThat(HalfWays.checks(grpc, name -> false)).isEmpty();
    assertThat(HalfWays.of(dubbo, name -> !name.contains("dubbo")))
        .containsExactly(
            "angarium.half.dubbo.server: given (expected: none, or angarium-dubbo on the class path)");
    assertThat(HalfWays.checks(dubbo, name -> false)).isEmpty();
    assertThat(HalfWays.of(grpc, name -> true)).isEmpty();
    assertThat(HalfWays.of(dubbo, name -> true)).isEmpty();
    assertThat(HalfWays.of(half(Map.of()), name -> false)).isEmpty();
  }

  @Test
  void thereIsOneWayAtMost() {
    AngariumProperties.Half all =
        half(
            Map.of(
                "angarium.half.http.server", "http://centre",
                "angarium.half.grpc.server", "grpc://centre:9090",
                "angarium.half.dubbo.server", "dubbo://centre"));

    assertThat(HalfWays.of(all, name -> true))
        .containsExactly(
            "angarium.half.dubbo.server, angarium.half.grpc.server, angarium.half.http.server: given"
                + " (expected: one way to one server, by http, grpc or dubbo)");
  }

  @Test
  void whatHasNoServerIsAFault() {
    AngariumProperties.Half none =
        half(Map.of("angarium.half.grpc.timeout", "1s", "angarium.half.dubbo.api-key", "k"));

    assertThat(HalfWays.of(none, name -> true))
        .anyMatch(
            fault -> fault.startsWith("angarium.half.grpc.server: none (expected: e.g. grpcs"))
        .anyMatch(fault -> fault.startsWith("angarium.half.dubbo.server: none (expected: e.g."))
        .hasSize(2);
  }
}
