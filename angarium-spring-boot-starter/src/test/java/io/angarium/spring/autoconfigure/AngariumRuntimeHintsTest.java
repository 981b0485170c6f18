package io.angarium.spring.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.proxies;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.reflection;
import static org.springframework.aot.hint.predicate.RuntimeHintsPredicates.resource;

import io.angarium.kafka.SslContextEngines;
import io.angarium.spring.autoconfigure.internal.details.SpringKafka;
import io.angarium.spring.autoconfigure.internal.details.SpringRabbit;
import io.angarium.spring.autoconfigure.internal.details.SpringRedis;
import io.angarium.spring.settings.AngariumProperties;
import java.io.IOException;
import java.net.URL;
import java.sql.Connection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.core.io.support.SpringFactoriesLoader;

/** What ahead-of-time processing is told, found as Spring finds it. */
class AngariumRuntimeHintsTest {
  private static final String AOT_FACTORIES = "META-INF/spring/aot.factories";
  private static final String ROOT = "/angarium/";

  private final RuntimeHints hints = new RuntimeHints();

  AngariumRuntimeHintsTest() {
    List<RuntimeHintsRegistrar> registrars =
        SpringFactoriesLoader.forResourceLocation(AOT_FACTORIES).load(RuntimeHintsRegistrar.class);
    registrars.stream()
        .filter(registrar -> registrar.getClass().getName().startsWith("io.angarium."))
        .forEach(registrar -> registrar.registerHints(hints, getClass().getClassLoader()));
  }

  @Test
  void everyScriptIsCovered() throws IOException {
    List<String> scripts = scripts();

    assertThat(scripts).hasSizeGreaterThan(20);
    assertThat(scripts).allMatch(script -> resource().forResource(script).test(hints));
    assertThat(scripts)
        .map(script -> script.replaceAll("/(V\\d)", "/some-feature/$1"))
        .allMatch(script -> resource().forResource(script).test(hints));
  }

  private static List<String> scripts() throws IOException {
    Resource[] found =
        new PathMatchingResourcePatternResolver().getResources("classpath*:angarium/**/*.sql");
    return Stream.of(found).map(AngariumRuntimeHintsTest::path).toList();
  }

  private static String path(Resource script) {
    try {
      URL url = script.getURL();
      return url.getPath()
          .substring(url.getPath().indexOf(ROOT, url.getPath().lastIndexOf("!") + 1) + 1);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void boundPropertiesAreCovered() {
    assertThat(
            List.of(
                AngariumProperties.class,
                AngariumProperties.Relay.class,
                AngariumProperties.Lease.class,
                SpringKafka.class,
                SpringKafka.Ssl.class,
                SpringRabbit.Ssl.class,
                SpringRedis.Sentinel.class))
        .allMatch(
            type -> reflection().onConstructor(type.getDeclaredConstructors()[0]).test(hints));
  }

  @Test
  void whatIsCreatedByNameIsCovered() {
    assertThat(proxies().forInterfaces(Connection.class)).accepts(hints);
    assertThat(
            reflection()
                .onType(SslContextEngines.class)
                .withMemberCategory(MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS))
        .accepts(hints);
  }
}
